// Runs before the first paint. The policy allows no inline scripts.
{
  let token = null;
  let scheme = null;
  try {
    token = localStorage.getItem('token');
    scheme = localStorage.getItem('color-scheme');
  } catch {
    // Without storage no one is signed in, and the system's scheme applies.
  }
  if (token !== null) location.replace('/app/discover');
  const isDark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
}
