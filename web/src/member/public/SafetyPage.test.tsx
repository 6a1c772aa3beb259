import { act, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type HelpLine, listHelpLines } from '#contract/moderation/help-lines.ts';
import { serve } from '../../../test/fake-server.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { speak } from '../../ui/text/catalogues.ts';

const line = (changes: Partial<HelpLine>): HelpLine => ({
  _id: changes.name ?? 'line',
  country: 'DE',
  name: 'Hilfetelefon',
  phone: '116 016',
  url: null,
  note: 'At any hour.',
  isEmergency: false,
  ...changes,
});
const everywhere = { country: 'XX', name: 'A directory', phone: null, url: 'https://lines.example/now' };

beforeEach(() => {
  const lines = [line({}), line(everywhere), line({ country: 'FR', name: 'Ligne', phone: '3919' })];
  serve(listHelpLines, () => ({ data: { lines } }));
});

describe('the safety center', () => {
  it('shows advice, and the help lines of the chosen country with those of all countries', async () => {
    const { person } = renderApp('/app/safety');
    expect(await screen.findByRole('heading', { level: 1, name: 'Safety center' })).toBeVisible();
    expect(screen.getByRole('heading', { level: 2, name: '4. After an assault' })).toBeVisible();
    await person.selectOptions(await screen.findByLabelText('Country'), 'Germany');
    const lines = within(screen.getByRole('list', { name: 'Help lines' }));
    expect(lines.getByRole('link', { name: 'Call 116 016' })).toHaveAttribute('href', 'tel:116016');
    expect(lines.getByRole('link', { name: 'lines.example' })).toHaveAttribute('href', everywhere.url);
    expect(lines.queryByText('Ligne')).toBeNull();
  });

  it('starts with the country in a link', async () => {
    renderApp('/app/safety?country=FR');
    expect(await screen.findByLabelText('Country')).toHaveValue('FR');
    expect(screen.getByText('Ligne')).toBeVisible();
  });

  it('lists the countries in the order of their names in the reader’s language', async () => {
    const lines = ['AT', 'DE', 'EG'].map((country) => line({ _id: country, country }));
    serve(listHelpLines, () => ({ data: { lines } }));
    await act(() => speak('de'));
    renderApp('/app/safety');
    const options = within(await screen.findByRole('combobox', { name: 'Land' })).getAllByRole('option');
    expect(options.slice(1).map(({ textContent }) => textContent)).toEqual(['Ägypten', 'Deutschland', 'Österreich']);
  });
});
