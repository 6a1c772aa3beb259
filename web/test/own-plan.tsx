import { screen, within } from '@testing-library/react';
import { serveSettings } from './own-settings.ts';
import { ownUser } from './people.ts';
import { type KnownPremium, servePremium } from './premium.ts';
import { renderApp, serviceConfig } from './render-app.tsx';

/** A part of the settings, by its name. */
export const settingsPart = (name: string) => within(screen.getByRole('region', { name }));

export const ownPlan = () => settingsPart('Your plan');

/** The settings of a member whose premium stands so, with that part there. */
export async function openPlan(changes: Partial<KnownPremium> = {}, config = serviceConfig) {
  serveSettings();
  const known = servePremium(changes);
  const app = renderApp('/app/settings', ownUser(), ownUser(), config);
  await within(await screen.findByRole('region', { name: 'Your plan' })).findByText(
    known.current === null ? /^You have no plan/ : /^(Monthly|Quarterly|Annual)$/,
  );
  return { ...app, known };
}
