import { screen } from '@testing-library/react';
import { administrator } from './people.ts';
import { renderApp } from './render-app.tsx';
import { idEndingIn } from './reports-page.tsx';
import { staffReport } from './staff-reports.ts';

export const id = idEndingIn('a1b2c3');
export const at = `/reports/${id}`;
export const report = staffReport({ _id: id });

/** A part of the page by its title. */
export const panel = (name: string) => screen.getByRole('region', { name });

/** The page of one report with all of it there. */
export async function openReport(person = administrator()) {
  const app = renderApp(at, person);
  await screen.findByRole('heading', { name: 'Handling' });
  return app;
}
