import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { createElement } from 'react';

const heartwood: MantineColorsTuple = [
  '#fdf1ee',
  '#f8ded9',
  '#efbdb5',
  '#e4978d',
  '#d97469',
  '#c8554e',
  '#b03f3d',
  '#972f33',
  '#7c252a',
  '#611b21',
];
const moss: MantineColorsTuple = [
  '#eff5ef',
  '#dce9de',
  '#badabf',
  '#94bf9c',
  '#71a57b',
  '#548a60',
  '#41754e',
  '#33603f',
  '#284d33',
  '#1d3b27',
];
const honey: MantineColorsTuple = [
  '#fdf5e4',
  '#f9e7c2',
  '#f2d08a',
  '#eab852',
  '#e0a02b',
  '#c4841a',
  '#a26812',
  '#81510e',
  '#653f0a',
  '#4a2e09',
];
const dusk: MantineColorsTuple = [
  '#f0f2f7',
  '#dde3ed',
  '#bcc8db',
  '#98aac7',
  '#7890b4',
  '#5d779f',
  '#4b6489',
  '#3c516f',
  '#2f4059',
  '#223045',
];
const gray: MantineColorsTuple = [
  '#fbf8f4',
  '#f4eee7',
  '#e9e0d6',
  '#dacdc0',
  '#c2b2a3',
  '#9c8a7b',
  '#746456',
  '#62544a',
  '#463b33',
  '#2d2520',
];
const dark: MantineColorsTuple = [
  '#f6ede5',
  '#dfd2c6',
  '#bfafa2',
  '#9a897c',
  '#63554c',
  '#463a33',
  '#2c231f',
  '#15100e',
  '#0f0b0a',
  '#0a0706',
];

/**
 * Names and texts are typed in any script, so the input takes its direction from its text; Mantine's own `dir` applies
 * to the box around it.
 */
const anyScript = { attributes: { input: { dir: 'auto' } } };

const chevron = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

/**
 * The look of Mantine's components in Heartwood: mahogany, moss and honey on warm paper. Our own tokens are in
 * tokens.css.
 */
export const theme = createTheme({
  colors: { heartwood, moss, honey, dusk, gray, dark },
  primaryColor: 'heartwood',
  primaryShade: 7,
  autoContrast: true,
  luminanceThreshold: 0.34,
  black: '#241a16',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontSizes: {
    small: 'var(--hw-text-small)',
    note: 'var(--hw-text-note)',
    lead: 'var(--hw-text-lead)',
    title: 'var(--hw-text-title)',
    large: 'var(--hw-text-large)',
  },
  shadows: { sm: 'var(--hw-shadow)', md: 'var(--hw-shadow-lifted)', xl: 'var(--hw-shadow-over)' },
  radius: { sm: '0.5rem', md: '0.75rem', lg: '1.25rem', xl: '2rem' },
  fontFamily:
    '"Figtree Variable", ui-sans-serif, system-ui, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif',
  headings: {
    fontFamily:
      '"Fraunces Variable", "Iowan Old Style", "Palatino Linotype", Palatino, P052, "Noto Serif", Georgia, serif',
    fontWeight: '600',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: 'var(--hw-text-large)', lineHeight: '1.15' },
      h2: { fontSize: 'var(--hw-text-title)', lineHeight: '1.15' },
      h3: { fontSize: 'var(--hw-text-lead)', lineHeight: '1.15' },
    },
  },
  fontFamilyMonospace: "ui-monospace, 'Cascadia Mono', 'DejaVu Sans Mono', monospace",
  components: {
    ActionIcon: { defaultProps: { radius: 'xl' } },
    Button: { defaultProps: { radius: 'xl' } },
    Divider: { defaultProps: { color: 'var(--hw-line)', labelPosition: 'center' } },
    Loader: { defaultProps: { type: 'oval', size: 'sm' } },
    NativeSelect: { defaultProps: { rightSection: createElement(IconChevronDown, chevron) } },
    Paper: { defaultProps: { withBorder: true, radius: 'lg', shadow: 'sm' } },
    PasswordInput: { defaultProps: { visibilityToggleFocusable: true } },
    Text: { defaultProps: { inherit: true } },
    Textarea: { defaultProps: anyScript },
    TextInput: { defaultProps: anyScript },
    ThemeIcon: { defaultProps: { radius: 'xl', variant: 'light' } },
  },
});

const hues = ['heartwood', 'moss', 'honey', 'dusk'] as const;

/**
 * The text colour of each hue on its own light background: dark enough in the light scheme, light enough in the dark
 * one.
 */
function lightTexts(shade: 2 | 9): Record<string, string> {
  return Object.fromEntries(
    hues.map((hue) => [`--mantine-color-${hue}-light-color`, `var(--mantine-color-${hue}-${shade})`]),
  );
}

/** Mantine colours whose defaults have too little contrast (4.5:1 for text, 3:1 for the edges of controls). */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...lightTexts(9),
    '--mantine-color-body': 'var(--hw-page)',
    '--mantine-color-text': 'var(--hw-ink)',
    '--mantine-color-dimmed': 'var(--hw-ink-soft)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-6)',
    '--mantine-color-error': 'var(--hw-alarm)',
    '--mantine-color-anchor': 'var(--mantine-color-heartwood-7)',
    '--mantine-color-default-border': 'var(--mantine-color-gray-5)',
  },
  dark: {
    ...lightTexts(2),
    // Lighter than the cards that they are on; Mantine's own are darker, which looks like a hole.
    '--mantine-color-heartwood-light': 'var(--hw-alarm-soft)',
    '--mantine-color-heartwood-light-hover': 'var(--mantine-color-heartwood-9)',
    '--mantine-color-moss-light': 'var(--hw-moss-soft)',
    '--mantine-color-honey-light': 'var(--hw-honey-soft)',
    '--mantine-color-dusk-light': 'var(--mantine-color-dusk-8)',
    '--mantine-color-gray-light': 'var(--hw-line)',
    '--mantine-color-gray-light-color': 'var(--hw-ink)',
    '--mantine-color-body': 'var(--hw-page)',
    '--mantine-color-text': 'var(--hw-ink)',
    '--mantine-color-dimmed': 'var(--hw-ink-soft)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': 'var(--hw-alarm)',
    '--mantine-color-anchor': 'var(--mantine-color-heartwood-3)',
    '--mantine-color-default': 'var(--mantine-color-dark-6)',
    '--mantine-color-default-border': 'var(--mantine-color-dark-3)',
  },
});
