// A link to one's own games has the token behind "#", where no server sees it: it is taken out of the address and sent as
// a form.
"use strict";

(() => {
  const form = document.getElementById("enter");
  const token = decodeURIComponent(location.hash.slice(1));
  if (!form || !token) return;
  history.replaceState(null, "", location.pathname);
  form.elements.token.value = token;
  form.submit();
})();
