import { join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';

const root = join(import.meta.dirname, '..');
const source = join(root, 'early.js');

async function builtScript(): Promise<string> {
  const built = (await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      target: ['chrome125', 'edge125', 'firefox128', 'safari18'],
      rolldownOptions: { input: source, output: { format: 'iife' } },
    },
  })) as Rolldown.RolldownOutput;
  return built.output[0].code.trim();
}

/**
 * Puts `early.js` into the document, so that neither the first paint nor the first call waits for another request. The server's policy
 * names its hash. While developing, it stays a file.
 */
export function earlyScript(): Plugin {
  return {
    name: 'heartwood-early-script',
    apply: 'build',
    transformIndexHtml: {
      // Before Vite looks at the document's scripts.
      order: 'pre',
      handler: async (html) => {
        const script = await builtScript();
        return html.replace('<script src="/early.js"></script>', () => `<script>${script}</script>`);
      },
    },
  };
}
