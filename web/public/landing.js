// Runs before the first paint. The policy allows no inline scripts.
{
  let token = null;
  let scheme = null;
  try {
    token = localStorage.getItem('token');
    scheme = localStorage.getItem('color-scheme');
    // The server answers in the language of the address if there is such a language, which the app then speaks, too.
    const { lang } = document.documentElement;
    if (token === null && new URLSearchParams(location.search).get('lang') === lang) {
      document.cookie = `language=${lang}; Path=/; Max-Age=31536000; SameSite=Lax`;
      localStorage.setItem('language', lang);
    }
  } catch {
    // Without storage no one is signed in, and the system's scheme applies.
  }
  if (token !== null) location.replace('/app/discover');
  const isDark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
}
