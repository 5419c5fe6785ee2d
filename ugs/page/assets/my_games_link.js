// A link to one's own games has the token behind "#", where no server sees it: it is taken out of the address and sent as
// a form.
"use strict";

(() => {
  const form = document.getElementById("enter");
  const decoded = (text) => {
    try { return decodeURIComponent(text); } catch { return text; } // a token may have a "%" of its own
  };
  const enter = () => {
    const token = location.hash.slice(1);
    if (!form || !token) return;
    history.replaceState(null, "", location.pathname);
    form.elements.token.value = decoded(token);
    form.submit();
  };
  addEventListener("hashchange", enter); // where the page is open already, a link to it loads nothing
  enter();
})();
