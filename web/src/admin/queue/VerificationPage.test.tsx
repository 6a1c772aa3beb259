import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { decideSelfie } from '#contract/photo-verification.ts';
import { queryClient } from '../../api/query-client.ts';
import { failWith, received, Refusal } from '../../../test/fake-server.ts';
import { manySelfies, serveSelfies } from '../../../test/fixtures/photo-verification.ts';
import { administrator } from '../../../test/fixtures/people.ts';
import { renderApp } from '../../../test/render-app.tsx';

const queue = () => screen.getByRole('region', { name: 'Selfies' });
async function openSelfies() {
  const app = renderApp('/queue/verification', administrator());
  await screen.findByRole('region', { name: 'Selfies' });
  return app;
}
const isShown = (name: string) => waitFor(() => expect(within(queue()).getByRole('link')).toHaveTextContent(name));

describe('the queue of selfies', () => {
  it('takes forty comparisons by keyboard with one to three keys each', async () => {
    const waiting = serveSelfies(manySelfies(40));
    const { person } = await openSelfies();
    let presses = 0;
    const press = async (keys: string, count = 1) => {
      presses += count;
      await person.keyboard(keys);
    };
    for (let n = 1; n <= 40; n += 1) {
      await isShown(`P${n}, 31`);
      const before = presses;
      if (n % 10 === 0) {
        await press('r');
        await screen.findByRole('dialog', { name: /Reject the selfies/ });
        await press('{Control>}{Enter}{/Control}', 2);
      } else if (n % 5 === 0) {
        await press('g');
        await screen.findByRole('dialog', { name: /for new selfies/ });
        await press('{Control>}{Enter}{/Control}', 2);
      } else await press('a');
      expect(presses - before).toBeLessThanOrEqual(3);
    }
    await within(queue()).findByText('No selfies are waiting.');
    await waitFor(() => expect(waiting()).toEqual([]));
    const sent = received(decideSelfie).map(({ body }) => body.verdict);
    expect([sent.length, sent.filter((one) => one === 'approved').length]).toEqual([40, 32]);
    expect(received(decideSelfie)[0]?.body.pictures).toHaveLength(2);
  });

  it('shows the selfies next to each picture of the profile, and enlarged', async () => {
    serveSelfies(manySelfies(1, 3));
    const { person } = await openSelfies();
    await isShown('P1, 31');
    await within(queue()).findByText('Picture 1 of 3: Approved');
    await person.keyboard('{ArrowRight}');
    await within(queue()).findByText('Picture 2 of 3: Approved');
    await person.keyboard('{ArrowLeft}{ArrowLeft}');
    await within(queue()).findByText('Picture 3 of 3: Approved');
    await person.keyboard('z');
    expect(within(queue()).getAllByRole('button', { name: 'Make the pictures smaller' })).toHaveLength(3);
    expect(within(queue()).getByText(/250 of 1,000 members/)).toHaveTextContent('25%');
  });

  it('keeps showing a person when a colleague decides about the one before', async () => {
    const waiting = manySelfies(3);
    serveSelfies(waiting);
    const { person } = await openSelfies();
    await isShown('P1, 31');
    await person.keyboard('j');
    await isShown('P2, 31');
    serveSelfies(waiting.slice(1));
    await act(() => queryClient.refetchQueries());
    expect(await within(queue()).findByText('2 people are waiting')).toBeVisible();
    await isShown('P2, 31');
  });

  it('shows a comparison again with the reason if a decision is refused', async () => {
    serveSelfies(manySelfies(2));
    failWith(decideSelfie, new Refusal('CONFLICT', 'The pictures of the profile have changed. Compare them again.'));
    const { person } = await openSelfies();
    await isShown('P1, 31');
    await person.keyboard('a');
    expect(await within(queue()).findByText(/pictures of the profile have changed/)).toBeVisible();
    await isShown('P1, 31');
  });
});
