import {
  localStorageColorSchemeManager,
  type MantineColorsTuple,
  MantineProvider,
  type MantineProviderProps,
} from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo } from 'react';
import { type BrandColours, shadesOf } from '#contract/service/colours.ts';
import { queryClient } from './api/query-client.ts';
import { useBrand } from './brand.ts';
import { keepKeysOfInputMethods } from './ui/keyboard/input-methods.ts';
import { cssVariablesResolver, theme } from './ui/theme/theme.ts';

const colorSchemeManager = localStorageColorSchemeManager({ key: 'color-scheme' });

/** The theme with a brand's own colours. */
const themeWith = (colours: BrandColours) => ({
  ...theme,
  colors: { ...theme.colors, heartwood: shadesOf(colours) as MantineColorsTuple },
});

/** Theme, colour scheme, query cache and keys for everything below; `options` are Mantine's, for tests. */
export function AppProviders({ children, options }: { children: ReactNode; options?: Partial<MantineProviderProps> }) {
  const { colours } = useBrand();
  const own = useMemo(() => (colours === null ? theme : themeWith(colours)), [colours]);
  useEffect(keepKeysOfInputMethods, []);
  return (
    <MantineProvider
      theme={own}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      deduplicateCssVariables={false}
      defaultColorScheme="auto"
      {...options}
    >
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </MantineProvider>
  );
}
