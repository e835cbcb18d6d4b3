// SPDX-License-Identifier: BSD-2-Clause
// In each flame graph: click zooms, a click on what is below widens again, / or the word "search" searches.
"use strict";
(function () {
	var svg = document.currentScript.ownerSVGElement;
	var frames = Array.prototype.slice.call(svg.querySelectorAll(".f"));
	var total = Number(svg.dataset.total), chars = 7.3, root = frames[0];
	var status = svg.querySelector(".status"), reset = svg.querySelector(".reset");

	frames.forEach(function (f) {
		f.x = Number(f.dataset.x);
		f.w = Number(f.dataset.w);
		f.d = Number(f.dataset.d);
		f.name = f.querySelector("title").textContent.split(" ")[0];
		f.rect = f.querySelector("rect");
		f.text = f.querySelector("text");
		f.fill = f.rect.getAttribute("fill");
	});

	function place(f, x, w) {
		var fits = Math.floor((w * svg.getBoundingClientRect().width - 6) / chars);
		f.style.display = "";
		f.rect.setAttribute("x", 100 * x + "%");
		f.rect.setAttribute("width", 100 * w + "%");
		f.text.setAttribute("x", 100 * x + "%");
		f.text.textContent = fits < 3 ? "" : f.name.length <= fits ? f.name : f.name.slice(0, fits - 2) + "..";
	}

	function zoom(to) {
		svg.zoomed = to;
		frames.forEach(function (f) {
			var above = f.d < to.d && f.x <= to.x && f.x + f.w >= to.x + to.w;
			var inside = f.x >= to.x && f.x + f.w <= to.x + to.w && f.d >= to.d;
			f.classList.toggle("above", above);
			if (above)
				place(f, 0, 1);
			else if (inside)
				place(f, (f.x - to.x) / to.w, f.w / to.w);
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
		status.textContent = pattern ? "matched: " + (100 * matches / total).toFixed(2) + " %" : "";
	}

	function ask() {
		var text = window.prompt("Functions to search for (a regular expression; nothing: none)", "");
		if (text !== null)
			search(text);
	}

	frames.forEach(function (f) {
		f.addEventListener("click", function () { zoom(f); });
		f.addEventListener("mouseover", function () {
			svg.querySelector(".details").textContent = f.querySelector("title").textContent;
		});
	});
	reset.addEventListener("click", function () { zoom(root); });
	svg.querySelector(".search").addEventListener("click", ask);
	window.addEventListener("keydown", function (e) {
		if (e.key === "/" && e.target.tagName !== "INPUT") {
			e.preventDefault();
			ask();
		} else if (e.key === "Escape") {
			zoom(root);
			search("");
		}
	});
	window.addEventListener("resize", function () { zoom(svg.zoomed); });
	svg.netcost = { zoom: zoom, search: search, frames: frames };
	zoom(root);
})();
