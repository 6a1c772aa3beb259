import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { listRules } from '#contract/moderation/decisions.ts';
import {
  getSecondLookFigures,
  judgeSecondLook,
  listGoldenCases,
  retireGoldenCase,
  type SecondLook,
  skipSecondLook,
  takeSecondLook,
} from '#contract/moderation/second-looks.ts';
import { received, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { renderApp } from '../../../test/render-app.tsx';

const id = '018f3a52-0000-7000-8000-00000000a99e';
const look = (changes: Partial<SecondLook> = {}): SecondLook => ({
  _id: id,
  categories: ['Harassment'],
  mayBeMinor: false,
  reports: [{ _id: 'report', text: 'They insulted me in every message.' }],
  evidence: [],
  ...changes,
});
const rule = { _id: 'rule', clause: '2', version: 1, title: 'Respect', text: 'No harassment.' };

beforeEach(() => {
  serve(listRules, () => ({
    data: { rules: [{ ...rule, createdAt: '2025-01-01T00:00:00.000Z', createdBy: 'Sam Ek' }] },
  }));
  serve(getSecondLookFigures, () => ({
    data: {
      all: { judged: 20, agreed: 15 },
      rules: [{ clause: '2', judged: 4, agreed: null }],
      deciders: [{ _id: 'zoe', name: 'Zoe Quill', judged: 20, agreed: 15 }],
      training: [],
    },
  }));
  serve(listGoldenCases, () => ({
    data: {
      cases: [
        {
          _id: id,
          problem_type: 'Harassment' as const,
          story: 'Someone wrote forty insults.',
          outcome: 'actioned' as const,
          clause: '2',
          addedAt: '2025-01-01T00:00:00.000Z',
          addedBy: 'Sam Ek',
        },
      ],
    },
  }));
});

describe('/second-looks', () => {
  it('shows the category first, then the reports, and the original decision after the judgement', async () => {
    const looks = [look({ mayBeMinor: true }), null];
    serve(takeSecondLook, () => ({ data: { look: looks.shift() ?? null } }));
    serve(judgeSecondLook, () => ({
      data: { isAgreed: false, decided: { outcome: 'no_violation' as const, clause: null } },
    }));
    const { person } = renderApp('/second-looks', moderator());
    await person.click(await screen.findByRole('button', { name: 'Start' }));
    expect(await screen.findByText('May be under 18')).toBeVisible();
    expect(screen.queryByText('They insulted me in every message.')).not.toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Open' }));
    expect(screen.getByText('They insulted me in every message.')).toBeVisible();
    const save = screen.getByRole('button', { name: 'Save' });
    expect(save).toBeDisabled();
    await person.selectOptions(screen.getByRole('combobox', { name: 'Outcome' }), 'actioned');
    expect(save).toBeDisabled();
    await person.selectOptions(await screen.findByRole('combobox', { name: 'Rule' }), '2');
    await person.click(save);
    expect(await screen.findByText('The decision was: No rule was broken. No rule')).toBeVisible();
    expect(received(judgeSecondLook).map(({ body }) => body)).toEqual([{ outcome: 'actioned', clause: '2' }]);
    await person.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByText('No decision is waiting for a second look.')).toBeVisible();
    // Only leads of the team see the figures.
    expect(screen.queryByRole('heading', { name: 'Agreement' })).not.toBeInTheDocument();
  });

  it('can return a decision without opening it', async () => {
    const looks = [look(), look({ _id: 'next', categories: ['Other'] })];
    serve(takeSecondLook, () => ({ data: { look: looks.shift() ?? null } }));
    serve(skipSecondLook, () => ({}));
    const { person } = renderApp('/second-looks', moderator());
    await person.click(await screen.findByRole('button', { name: 'Start' }));
    await person.click(await screen.findByRole('button', { name: 'Skip' }));
    expect(await screen.findByText('Other')).toBeVisible();
    expect(received(skipSecondLook)).toHaveLength(1);
  });

  it('shows agreement and training cases to leads of the team', async () => {
    serve(retireGoldenCase, () => ({}));
    const { person } = renderApp('/second-looks', administrator());
    const table = await screen.findByRole('table', { name: 'Second looks by rule' });
    expect(within(table).getByText('75%')).toBeVisible();
    expect(await screen.findByText('Zoe Quill')).toBeVisible();
    await person.click(await screen.findByRole('button', { name: /^Remove: Someone/ }));
    await waitFor(() => expect(received(retireGoldenCase)).toHaveLength(1));
  });
});
