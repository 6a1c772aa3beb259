import {
  localStorageColorSchemeManager,
  type MantineColorsTuple,
  MantineProvider,
  type MantineProviderProps,
} from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { BrandColours } from '#contract/service/colours.ts';
import { queryClient } from './api/query-client.ts';
import { useBrand } from './brand.ts';
import { keepKeysOfInputMethods } from './ui/keyboard/input-methods.ts';
import { cssVariablesResolver, theme } from './ui/theme/theme.ts';

const colorSchemeManager = localStorageColorSchemeManager({ key: 'color-scheme' });

/** The theme, with a brand's own colours once the code that mixes their shades has arrived. */
function useOwnTheme(colours: BrandColours | null) {
  const [mixed, setMixed] = useState<{ colours: BrandColours; shades: MantineColorsTuple } | null>(null);
  useEffect(() => {
    if (colours === null) return;
    const mix = async () => {
      const { shadesOf } = await import('#contract/service/colours.ts');
      setMixed({ colours, shades: shadesOf(colours) });
    };
    mix().catch(() => undefined);
  }, [colours]);
  if (colours === null || mixed?.colours !== colours) return theme;
  return { ...theme, colors: { ...theme.colors, heartwood: mixed.shades } };
}

/** Theme, colour scheme, query cache and keys for everything below; `options` are Mantine's, for tests. */
export function AppProviders({ children, options }: { children: ReactNode; options?: Partial<MantineProviderProps> }) {
  const { colours } = useBrand();
  const own = useOwnTheme(colours);
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
