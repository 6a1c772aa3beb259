import './ui/kit-styles.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { SessionEnd } from './features/auth/SessionEnd.tsx';
import { AppRoutes } from './routes.tsx';
import { Kit } from './ui/Kit.tsx';
import { RouteScroll } from './ui/RouteScroll.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');

createRoot(root).render(
  <StrictMode>
    <Kit>
      <BrowserRouter>
        <SessionEnd />
        <RouteScroll />
        <AppRoutes />
      </BrowserRouter>
    </Kit>
  </StrictMode>,
);
