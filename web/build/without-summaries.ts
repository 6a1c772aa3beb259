import type { Plugin } from 'vite';

const summary = /^ {2,6}summary:\s*(['"`])(?:\\.|(?!\1)[^\\])*\1,\n/gm;

/** Leaves the sentences that describe API calls out of the bundle: only the documentation of the API shows them. */
export const withoutSummaries = (): Plugin => ({
  name: 'without-summaries',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /\/contract\/src\//, code: 'summary:' },
    handler: (code) => ({ code: code.replaceAll(summary, ''), map: null }),
  },
});
