import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryClient } from './api/query-client.ts';
import { cssVariablesResolver, theme } from './ui/theme/theme.ts';

const colorSchemeManager = localStorageColorSchemeManager({ key: 'color-scheme' });

/** Theme, colour scheme and query cache for everything below; `isTest` turns off transitions and portals. */
export function AppProviders({ children, isTest = false }: { children: ReactNode; isTest?: boolean }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      deduplicateCssVariables={false}
      defaultColorScheme="auto"
      env={isTest ? 'test' : 'default'}
    >
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </MantineProvider>
  );
}
