import { localStorageColorSchemeManager, MantineProvider, type MantineProviderProps } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { queryClient } from './api/query-client.ts';
import { keepKeysOfInputMethods } from './ui/keyboard/input-methods.ts';
import { cssVariablesResolver, theme } from './ui/theme/theme.ts';

const colorSchemeManager = localStorageColorSchemeManager({ key: 'color-scheme' });

/** Theme, colour scheme, query cache and keys for everything below; `options` are Mantine's, for tests. */
export function AppProviders({ children, options }: { children: ReactNode; options?: Partial<MantineProviderProps> }) {
  useEffect(keepKeysOfInputMethods, []);
  return (
    <MantineProvider
      theme={theme}
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
