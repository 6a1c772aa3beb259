/** Gives the browser's own frame the colour of the page in the scheme that was chosen here, whichever the system has. */
export function followScheme(): void {
  const root = document.documentElement;
  const metas = document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]');
  const follow = () => {
    const { backgroundColor } = getComputedStyle(root);
    for (const meta of metas) meta.content = backgroundColor;
  };
  new MutationObserver(follow).observe(root, { attributeFilter: ['data-mantine-color-scheme'] });
  follow();
}
