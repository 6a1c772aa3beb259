import type { Plugin } from 'vite';

/** Names that only the developer tools read; each keeps the component that it names. */
const displayName = /^\w+\.displayName = .*;$/gm;
const made = /= (React\$1\.(?:forwardRef|createContext|memo)\()/g;

/** Lets the build leave out of the router what this app does not use: its own links and forms, with all they bring along. */
export function lightRouter(): Plugin {
  return {
    name: 'heartwood-light-router',
    apply: 'build',
    transform: {
      filter: { id: /\/react-router\/dist\/production\/lib\/.+\.js$/ },
      handler: (code) => ({
        code: code.replace(displayName, '').replace(made, '= /* @__PURE__ */ $1'),
        map: null,
      }),
    },
  };
}
