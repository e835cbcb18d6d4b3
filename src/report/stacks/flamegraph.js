// SPDX-License-Identifier: BSD-2-Clause
// In each flame graph: click zooms, a click on what is below widens again, / or the word "search" searches;
// arrow keys go from frame to frame. What it is worked with stands in the picture, or around it in a page.
"use strict";
(function () {
	var svg = document.currentScript.ownerSVGElement;
	var box = svg.closest(".flame") || svg, controls = box.querySelector(".controls");
	var frames = Array.prototype.slice.call(svg.querySelectorAll(".f"));
	var total = Number(svg.dataset.total), chars = 7.3, height = 17, root = frames[0];
	var status = box.querySelector(".status"), reset = box.querySelector(".reset");
	var asked = box.querySelector(".search"), typed = asked.tagName === "INPUT";

	frames.forEach(function (f) {
		f.x = Number(f.dataset.x);
		f.w = Number(f.dataset.w);
		f.d = Number(f.dataset.d);
		f.title = f.querySelector("title").textContent;
		f.name = f.title.split(" ")[0];
		f.rect = f.querySelector("rect");
		f.row = Number(f.rect.getAttribute("y"));
		f.text = f.querySelector("text");
		f.fill = f.rect.getAttribute("fill");
		f.setAttribute("role", "button");
		f.setAttribute("tabindex", f === root ? 0 : -1);
	});

	// Of nothing all is nothing.
	function share(part, whole) {
		return whole ? part / whole : 0;
	}

	function place(f, x, w, px) {
		var fits = Math.floor((w * px - 6) / chars);
		f.style.display = "";
		f.rect.setAttribute("x", 100 * x + "%");
		f.rect.setAttribute("width", 100 * w + "%");
		f.text.setAttribute("x", 100 * x + "%");
		f.text.textContent = fits < 3 ? "" : f.name.length <= fits ? f.name : f.name.slice(0, fits - 2) + "..";
	}

	// px: the picture's width, where it is not the one it has now.
	function zoom(to, px) {
		px = px || svg.getBoundingClientRect().width;
		svg.zoomed = to;
		frames.forEach(function (f) {
			var above = f.d < to.d && f.x <= to.x && f.x + f.w >= to.x + to.w;
			var inside = f.x >= to.x && f.x + f.w <= to.x + to.w && f.d >= to.d;
			f.classList.toggle("above", above);
			if (above)
				place(f, 0, 1, px);
			else if (inside)
				place(f, share(f.x - to.x, to.w), share(f.w, to.w), px);
			else
				f.style.display = "none";
		});
		reset.style.visibility = to === root ? "hidden" : "visible";
	}

	// Frames that match, and the share of samples in them, each counted once.
	function search(text) {
		var matches = 0, upto = 0, pattern;
		try {
			pattern = text ? new RegExp(text) : null;
		} catch (e) {
			status.textContent = "not a regular expression: " + text;
			return;
		}
		frames.slice().sort(function (a, b) { return a.x - b.x || b.w - a.w; }).forEach(function (f) {
			var hit = pattern && f !== root && pattern.test(f.name);
			f.rect.setAttribute("fill", hit ? "#d55e00" : f.fill);
			if (hit && f.x >= upto) {
				matches += f.w;
				upto = f.x + f.w;
			}
		});
		status.textContent = pattern ? "matched: " + (100 * share(matches, total)).toFixed(2) + " %" : "";
	}

	function ask() {
		var text;
		if (typed) {
			asked.focus();
			return;
		}
		text = window.prompt("Functions to search for (a regular expression; nothing: none)", "");
		if (text !== null)
			search(text);
	}

	// Where an arrow key leads: along the row, or to the widest frame above or below.
	function neighbour(f, key) {
		var side = { ArrowLeft: -1, ArrowRight: 1 }[key] || 0, best = null;
		var row = f.row + ({ ArrowUp: -1, ArrowDown: 1 }[key] || 0) * height;
		frames.forEach(function (g) {
			var apart = side ? side * (g.x - f.x) : Math.min(g.x + g.w, f.x + f.w) - Math.max(g.x, f.x);
			if (g.style.display || g.row !== row || apart <= 0)
				return;
			if (!best || (side ? apart < side * (best.x - f.x) : g.w > best.w))
				best = g;
		});
		return best;
	}

	function focus(f) {
		svg.querySelector(".f[tabindex='0']").setAttribute("tabindex", -1);
		f.setAttribute("tabindex", 0);
		f.focus();
	}

	function key(f, e) {
		var to = e.key.indexOf("Arrow") === 0 ? neighbour(f, e.key) : null;
		if (to)
			focus(to);
		else if (e.key === "Enter" || e.key === " ")
			zoom(f);
		else
			return;
		e.preventDefault();
	}

	function widen() {
		zoom(root);
		focus(root);
	}

	frames.forEach(function (f) {
		function tell() {
			box.querySelector(".details").textContent = f.title;
		}
		f.addEventListener("click", function () { zoom(f); });
		f.addEventListener("keydown", function (e) { key(f, e); });
		f.addEventListener("mouseover", tell);
		f.addEventListener("focus", tell);
	});
	reset.addEventListener("click", widen);
	if (typed)
		asked.addEventListener("input", function () { search(asked.value); });
	else
		asked.addEventListener("click", ask);
	window.addEventListener("keydown", function (e) {
		if (e.key === "/" && e.target.tagName !== "INPUT") {
			e.preventDefault();
			ask();
		} else if (e.key === "Escape") {
			zoom(root);
			search(asked.value = "");
		}
	});
	window.addEventListener("resize", function () { zoom(svg.zoomed); });
	window.addEventListener("beforeprint", function () { zoom(svg.zoomed, 680); });
	window.addEventListener("afterprint", function () { zoom(svg.zoomed); });
	if (controls)
		controls.hidden = false;
	svg.netcost = { zoom: zoom, search: search, frames: frames };
	zoom(root);
})();
