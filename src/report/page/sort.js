// SPDX-License-Identifier: BSD-2-Clause
// Sortable tables. A click on a heading, or Enter on it, sorts by that column, with the largest first. The next click
// reverses the order. Rows of class "last" stay below the others. Without this script tables keep their order.
"use strict";
(function () {
	// Returns the number that a cell shows, in s or J, or NaN for "-" and other texts.
	function number(cell) {
		var text = cell.textContent.replace(/^[<>] /, ""), unit = / ([num]?)[sJ]$/.exec(text);

		return parseFloat(text) * ({ n: 1e-9, u: 1e-6, m: 1e-3 }[unit && unit[1]] || 1);
	}

	// Orders two cells. A value that was not measured comes last in both orders.
	function compare(a, b, text, way) {
		var x = text ? a.textContent : number(a), y = text ? b.textContent : number(b);
		if (text)
			return way * (x < y ? 1 : x > y ? -1 : 0);
		if (isNaN(x) || isNaN(y))
			return isNaN(x) - isNaN(y);
		return way * (y - x);
	}

	function sort(table, th, at) {
		var body = table.tBodies[0], rows = Array.prototype.slice.call(body.rows);
		var text = th.classList.contains("t"), was = th.getAttribute("aria-sort");
		var falls = was ? was === "ascending" : !text, way = falls ? 1 : -1;
		var last = rows.filter(function (r) { return r.classList.contains("last"); });

		Array.prototype.forEach.call(th.parentNode.cells, function (c) { c.removeAttribute("aria-sort"); });
		th.setAttribute("aria-sort", falls ? "descending" : "ascending");
		rows.filter(function (r) { return !r.classList.contains("last"); }).sort(function (a, b) {
			return compare(a.cells[at], b.cells[at], text, way);
		}).concat(last).forEach(function (r) { body.appendChild(r); });
	}

	Array.prototype.forEach.call(document.querySelectorAll("table.sortable"), function (table) {
		Array.prototype.forEach.call(table.tHead.rows[0].cells, function (th, at) {
			var button = document.createElement("button");
			if (th.tagName !== "TH")
				return;
			button.type = "button";
			button.textContent = th.textContent;
			th.textContent = "";
			th.appendChild(button);
			button.addEventListener("click", function () { sort(table, th, at); });
		});
	});
})();
