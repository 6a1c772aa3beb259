// Runs before the first paint, so that a stored colour scheme never flashes the other one. The policy allows no inline scripts.
{
  let scheme = null;
  try {
    scheme = localStorage.getItem('color-scheme');
  } catch {
    // Without storage the system's scheme applies.
  }
  const isDark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
}
