import '../src/ui/theme/tokens.css';
import '../src/ui/theme/kit-styles.ts';
import '../src/ui/theme/splash.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { AppProviders } from '../src/AppProviders.tsx';
import { Catalogue } from './Catalogue.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
createRoot(root).render(
  <StrictMode>
    <AppProviders>
      <MemoryRouter>
        <Catalogue />
      </MemoryRouter>
    </AppProviders>
  </StrictMode>,
);
