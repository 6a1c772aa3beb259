import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { cssVariablesResolver, theme } from './theme.ts';

const colorSchemeManager = localStorageColorSchemeManager({ key: 'color-scheme' });

/** Theme and colour scheme for everything below; `isTest` switches transitions and portals off. */
export function Kit({ children, isTest = false }: { children: ReactNode; isTest?: boolean }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      env={isTest ? 'test' : 'default'}
    >
      {children}
    </MantineProvider>
  );
}
