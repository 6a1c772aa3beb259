/** Gives the browser's own frame the page colour of the scheme that was chosen here, whichever one the system uses. */
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
