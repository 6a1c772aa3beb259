import type { Plugin } from 'vite';

const foreignHue =
  /--mantine-color-(?:pink|grape|violet|indigo|blue|cyan|teal|green|lime|yellow|orange)-[\w-]+:[^;}]+;?/g;

/** Drops the variables of the kit's own hues: our theme names others, and nobody should download what is never drawn. */
export function ownHues(): Plugin {
  return {
    name: 'heartwood-own-hues',
    enforce: 'pre',
    transform: {
      filter: { id: /default-css-variables\.css$/ },
      handler: (css) => css.replace(foreignHue, ''),
    },
  };
}
