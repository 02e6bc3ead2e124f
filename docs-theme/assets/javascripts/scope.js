// What the theme's bundle expects to find: where the site begins, and what a visitor's browser remembers of it.
window.__md_scope = new URL(document.currentScript.dataset.base, location);

window.__md_get = (key, storage = localStorage, scope = window.__md_scope) =>
  JSON.parse(storage.getItem(`${scope.pathname}.${key}`));

window.__md_set = (key, value, storage = localStorage, scope = window.__md_scope) => {
  try {
    storage.setItem(`${scope.pathname}.${key}`, JSON.stringify(value));
  } catch {
    // a browser that remembers nothing shows the site all the same
  }
};

window.__md_hash = (text) => [...text].reduce((hash, letter) => (hash << 5) - hash + letter.charCodeAt(0), 0);
