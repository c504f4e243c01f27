"use strict";
// Everything is on the page without this script. It adds filters, and opens what an address leads to.
//
// The fragment of the address is `#anchor`, `#?filters` or `#anchor?filters`. An anchor contains no `?`, so permalinks
// stay what they are, and a reload keeps the filters.
(() => {
  const root = document.documentElement;
  const by = (id) => document.getElementById(id);
  const all = (selector, from = document) => Array.from(from.querySelectorAll(selector));
  root.classList.add("js");

  // The theme: the reader's preference, unless the button says otherwise.
  const theme = by("theme");
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches);
  const setTheme = (name) => {
    if (name === "dark" || name === "light") root.dataset.theme = name;
    else delete root.dataset.theme;
    theme.textContent = isDark() ? "Light theme" : "Dark theme";
  };
  theme.hidden = false;
  theme.addEventListener("click", () => {
    const next = isDark() ? "light" : "dark";
    setTheme((next === "dark") === prefersDark.matches ? "" : next);
    remember();
  });
  prefersDark.addEventListener("change", () => setTheme(root.dataset.theme));

  // The filters. A page without changes has none.
  const bar = by("bar");
  const fields = bar && { q: by("search"), area: by("area"), old: by("old"), new: by("new") };
  const choices = bar ? all("input[name=severity]", bar) : [];
  const cards = all(".card").map((element) => {
    const { severity, area, old, new: fresh } = element.dataset;
    return { element, severity, area, old, new: fresh, text: null };
  });
  const cardOf = new Map(cards.map((card) => [card.element, card]));
  const groups = all("[data-group]").map((element) => {
    const members = all(".card", element).map((card) => cardOf.get(card));
    return { element, name: element.dataset.group, members, count: element.querySelector(".count") };
  });

  // What the search looks at: the words of the change, not the labels of the page.
  const textOf = (card) => {
    if (card.text === null) {
      const parts = all(".path, .message, .reason, .note span, dd, pre, .places", card.element);
      card.text = parts.map((part) => part.textContent).join("\n").toLowerCase();
    }
    return card.text;
  };

  const apply = () => {
    const words = fields.q.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    // The value of an area has a `=` before its name, so that no name can be mistaken for "all".
    const area = fields.area.value === "" ? null : fields.area.value.slice(1);
    const severities = new Set(choices.filter((choice) => choice.checked).map((choice) => choice.value));
    for (const card of cards) {
      const fits = (area === null || card.area === area)
        && (severities.size === 0 || severities.has(card.severity))
        && (fields.old.value === "" || card.old === fields.old.value)
        && (fields.new.value === "" || card.new === fields.new.value)
        && words.every((word) => textOf(card).includes(word));
      card.shown = fits;
      if (card.element.hidden === fits) card.element.hidden = !fits;
    }
    let [shown, of, others, asides] = [0, 0, 0, 0];
    for (const group of groups) {
      const [count, sum] = [group.members.filter((card) => card.shown).length, group.members.length];
      group.element.hidden = count === 0;
      group.count.textContent = count === sum ? `${sum}` : `${count} of ${sum}`;
      if (group.name === "area") [shown, of] = [shown + count, of + sum];
      else [others, asides] = [others + count, asides + sum];
    }
    // Documentation and refactors have sections of their own, which a search may find something in.
    const more = others > 0 && (others < asides || shown < of) ? `, and ${others} below` : "";
    by("shown").textContent = `${shown} of ${of} shown${more}`;
    by("nothing").hidden = shown + others > 0;
  };

  // The state of the filters, as the fragment has it.
  const state = () => {
    const query = new URLSearchParams();
    if (bar) {
      for (const [name, field] of Object.entries(fields)) if (field.value !== "") query.set(name, field.value);
      const severities = choices.filter((choice) => choice.checked).map((choice) => choice.value);
      if (severities.length > 0) query.set("severity", severities.join(" "));
    }
    if (root.dataset.theme) query.set("theme", root.dataset.theme);
    return query.toString();
  };
  const restore = (text) => {
    const query = new URLSearchParams(text);
    setTheme(query.get("theme"));
    if (!bar) return;
    for (const [name, field] of Object.entries(fields)) {
      field.value = query.get(name) || "";
      // A choice that this page does not have.
      if (field.selectedIndex === -1) field.value = "";
    }
    const severities = (query.get("severity") || "").split(" ");
    for (const choice of choices) choice.checked = severities.includes(choice.value);
    apply();
  };

  let anchor = "";
  let timer = 0;
  const write = () => {
    timer = 0;
    const query = state();
    const fragment = anchor + (query === "" ? "" : `?${query}`);
    if (location.hash.slice(1) === fragment) return;
    // A viewer may forbid this; the filters work all the same.
    try {
      history.replaceState(null, "", fragment === "" ? location.pathname + location.search : `#${fragment}`);
    } catch { /* The address stays as it is. */ }
  };
  // Browsers slow a page down that changes its address at every key.
  const remember = () => {
    clearTimeout(timer);
    timer = setTimeout(write, 200);
  };

  const reveal = (id) => {
    for (const old of all(".here")) old.classList.remove("here");
    const element = id === "" ? null : by(id);
    if (!element) return;
    if (bar && element.closest("[hidden]")) clear();
    for (let at = element; at; at = at.parentElement) if (at.localName === "details") at.open = true;
    const box = element.closest(".card, .type") || element.closest(".fold") || element;
    box.classList.add("here");
    box.scrollIntoView();
    const summary = box.querySelector("summary");
    if (summary) summary.focus({ preventScroll: true });
  };

  // What the address says. A plain anchor says nothing about filters: they stay, and the address is completed.
  const follow = () => {
    const fragment = location.hash.slice(1);
    const mark = fragment.indexOf("?");
    anchor = mark === -1 ? fragment : fragment.slice(0, mark);
    if (mark !== -1) restore(fragment.slice(mark + 1));
    reveal(anchor);
    write();
  };
  window.addEventListener("hashchange", follow);
  // A link to where the address already is changes nothing, but should lead there again.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && link.hash === location.hash) reveal(link.hash.slice(1));
  });

  const changed = () => {
    anchor = "";
    apply();
    remember();
  };
  const clear = () => {
    for (const field of Object.values(fields)) field.value = "";
    for (const choice of choices) choice.checked = false;
    apply();
  };
  const openAll = (open) => {
    for (const element of all("main details")) {
      if (!open || !element.closest("[hidden]")) element.open = open;
    }
  };

  if (bar) {
    bar.hidden = false;
    let frame = 0;
    bar.addEventListener("input", () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(changed);
    });
    bar.addEventListener("submit", (event) => event.preventDefault());
    bar.addEventListener("reset", (event) => {
      event.preventDefault();
      clear();
      changed();
    });
    by("expand").addEventListener("click", () => openAll(true));
    by("collapse").addEventListener("click", () => openAll(false));
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const typing = event.target.closest("input[type=search], select, textarea");
      if (event.key === "/" && !typing) {
        event.preventDefault();
        fields.q.focus();
        fields.q.select();
      } else if (event.key === "Escape" && event.target === fields.q && fields.q.value !== "") {
        event.preventDefault();
        fields.q.value = "";
        changed();
      }
    });
    // What an address leads to must not hide behind the bar.
    const measure = () => root.style.setProperty("--bar", `${bar.offsetHeight}px`);
    new ResizeObserver(measure).observe(bar);
  }

  // On paper, everything is open.
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = all("main details:not([open])").filter((element) => !element.closest("[hidden]"));
    for (const element of opened) element.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const element of opened) element.open = false;
    opened = [];
  });

  setTheme("");
  // A reload may bring back what was typed: the address decides.
  if (bar) clear();
  follow();
})();
