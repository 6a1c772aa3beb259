import type { Plugin, Rolldown } from 'vite';

/**
 * The font files that every page needs, by their names in the bundle; other alphabets are fetched when they appear.
 */
export function firstFonts(bundle: Rolldown.OutputBundle): string[] {
  return Object.values(bundle).flatMap((output) =>
    output.type === 'asset' && output.names.some((name) => /-latin-wght-normal\.woff2$/.test(name))
      ? [output.fileName]
      : [],
  );
}

/** Lets the page fetch its fonts at once rather than with the first styled text. */
export function fontPreload(): Plugin {
  return {
    name: 'heartwood-font-preload',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        firstFonts(bundle).map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${file}` },
          injectTo: 'head',
        })),
    },
  };
}
