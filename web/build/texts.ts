import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import type { PluginOption } from 'vite';

// Its native transformation needs a package that npm doesn't install under Node 20.
process.env['LINGUI_SUPPRESS_BABEL_WARNING'] = '1';

/** Compiles the macros for texts, and the catalogues. A text that can't be compiled fails the build. */
export const texts = (): PluginOption[] => [
  babel({ presets: [linguiTransformerBabelPreset()] }),
  lingui({ failOnCompileError: true }),
];
