// Runs in the page's head before the first paint, as a script of its own: sets the colour scheme, so that a stored choice
// never flashes the other one, and asks for the first page's files while the entry is still on its way.
import type { FirstPages } from '../build/first-pages.ts';

declare const firstPages: FirstPages;

{
  const stored = (key: string): string | null => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };

  const scheme = stored('color-scheme');
  const isDark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');

  const firstPage = (): number[] | undefined => {
    const { everybody, visitors, members, administrators } = firstPages;
    const path = location.pathname.replace(
      /^(\/users\/|\/reports\/|\/app\/members\/|\/app\/messages\/|\/app\/premium\/invoices\/|\/app\/support\/(?!new$)).+/,
      '$1:id',
    );
    if (everybody[path]) return everybody[path];
    if (stored('token') === null)
      return visitors[path] ?? visitors[path.startsWith('/app') ? '/app/sign-in' : '/login'];
    if (members[path]) return members[path];
    if (/^\/app(?!\/(sign-in|join)$)/.test(path)) return members['/app/discover'];
    const isAdmin = /"isAdmin":true/.test(stored('user') ?? '');
    if (!isAdmin || path === '/login') return members['/home'];
    return administrators[path] ?? administrators['/dashboard'];
  };

  for (const place of firstPage() ?? []) {
    const file = `/${firstPages.files[place]}`;
    const link = document.createElement('link');
    link.rel = file.endsWith('.css') ? 'preload' : 'modulepreload';
    if (link.rel === 'preload') link.as = 'style';
    link.crossOrigin = 'anonymous';
    link.href = file;
    document.head.append(link);
  }
}
