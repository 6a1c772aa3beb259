// Runs before the first paint, so that a stored choice never flashes the other scheme.
(function () {
  var stored = null;
  try {
    stored = localStorage.getItem('color-scheme');
  } catch (error) {
    stored = null;
  }
  var dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
