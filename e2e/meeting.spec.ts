import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { unmatchUser } from '#contract/connections.ts';
import { endDateShare } from '#contract/dates.ts';
import { draw } from '../server/test/pictures.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { people, see, type Visitor } from './support/visitor.ts';

const service = serviceForTests({ members: 300 });
const phone = { width: 360, height: 740 };

const log = (page: Page) => page.getByRole('region', { name: /^Messages with / });
const composer = (page: Page) => page.getByRole('textbox', { name: /^Write to / });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

async function write(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

/** Replaces the microphone by a tone, because the browser of the tests has none. */
async function giveMicrophone({ page }: Visitor): Promise<void> {
  await page.addInitScript(`navigator.mediaDevices.getUserMedia = async () => {
    const context = new AudioContext();
    const [tone, destination] = [context.createOscillator(), context.createMediaStreamDestination()];
    tone.connect(destination);
    tone.start();
    return destination.stream;
  }`);
}

/** A time in the format of the browser's field. */
const fieldTime = (time: Date) =>
  new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** The errors that browsers report while the test has cut the network. */
function forgetLostLines({ problems }: Visitor): void {
  const others = problems.filter((problem) => !/WebSocket|ERR_INTERNET_DISCONNECTED/.test(problem));
  problems.splice(0, problems.length, ...others);
}

describe('two matched members on phones', () => {
  it('talk by text, photo and voice with one side often offline, plan a date, share it and check in', async () => {
    const [ada, bo] = [
      await service.visitor({ as: people.ada, ...phone }),
      await service.visitor({ as: people.bo, ...phone }),
    ];
    await giveMicrophone(bo);
    const { rows } = await service.pool.query<{ id: string }>(
      `select c.id from conversation c join account a on a.id = c.low_id join account b on b.id = c.high_id
       where c.ended_at is null and $1 in (a.email, b.email) and $2 in (a.email, b.email)`,
      [people.ada.email, people.bo.email],
    );
    const id = rows[0]?.id ?? '';
    for (const { page } of [ada, bo]) {
      await page.goto(`/app/messages/${id}`);
      await composer(page).waitFor();
    }
    await write(ada.page, 'Shall we meet by the river?');
    await see(log(bo.page), 'Shall we meet by the river?');

    await bo.context.setOffline(true);
    await write(bo.page, 'Yes, look at this bench');
    await see(log(bo.page), 'Yes, look at this bench');
    await bo.context.setOffline(false);
    const bench = { name: 'bench.jpg', mimeType: 'image/jpeg', buffer: await draw({ width: 1200, height: 900 }) };
    await bo.page.getByLabel('Photos to send').setInputFiles([bench]);
    await bo.page.getByLabel('Caption').fill('My favorite bench');
    await bo.page.getByRole('dialog').getByRole('button', { name: 'Send photo' }).click();
    await bo.page
      .getByRole('dialog', { name: 'Are you sure this is welcome?' })
      .getByRole('button', { name: 'Send' })
      .click();
    await see(log(ada.page), 'Yes, look at this bench', 'My favorite bench');
    await eventually(() => log(ada.page).getByText('My favorite bench').count()).toBe(1);
    await log(ada.page)
      .getByRole('button', { name: /^Photo from / })
      .last()
      .waitFor();

    await button(bo.page, 'Record a voice message').focus();
    await bo.page.keyboard.press('Enter');
    await bo.page.getByRole('timer').getByText('0:01').waitFor();
    await button(bo.page, 'Stop recording').click();
    await bo.context.setOffline(true);
    await bo.page.getByRole('button', { name: 'Send', exact: true }).click();
    await bo.context.setOffline(false);
    await log(ada.page)
      .getByRole('group', { name: /^Voice message from / })
      .waitFor();

    await button(ada.page, 'More about this message').last().click();
    await button(ada.page, 'Love').click();
    await see(log(bo.page), /reacted: Love$/);
    await button(ada.page, 'More about this message').last().click();
    await button(ada.page, 'Reply').click();
    await write(ada.page, 'Your voice is lovely');
    await log(bo.page)
      .getByRole('button', { name: /^In reply to/ })
      .waitFor();

    await button(ada.page, 'Plan a date').click();
    await ada.page.getByLabel('Place').fill('The bench by the river');
    await ada.page.getByLabel('Day and time').fill(fieldTime(new Date(Date.now() + 3 * 3_600_000)));
    await button(ada.page, 'Suggest date').click();
    await bo.page
      .getByRole('region', { name: /^Your date with / })
      .getByRole('button')
      .click();
    await button(bo.page, 'Accept date').click();
    await bo.page.keyboard.press('Escape');
    await see(ada.page.getByRole('region', { name: /^Your date with / }), /^Date with /);

    await ada.page
      .getByRole('region', { name: /^Your date with / })
      .getByRole('button')
      .click();
    await button(ada.page, /^Safety/).click();
    await button(ada.page, 'Share with a friend').click();
    const link = await ada.page.getByLabel('Your link for a friend').inputValue();
    const friend = await service.visitor(phone);
    await friend.page.goto(link);
    await see(friend.page, 'The bench by the river', / is meeting /);

    await service.pool.query(`update date_plan set at = now() - interval '2 hours' where conversation_id = $1`, [id]);
    const { rows: plans } = await service.pool.query<{ id: string }>(
      `select id from date_plan where conversation_id = $1 and state = 'accepted'`,
      [id],
    );
    await ada.page.goto(`/app/check-in/${plans[0]?.id}`);
    await button(ada.page, 'All good').click();
    await see(ada.page, "Good to hear. We've deleted this check-in.");

    await service.call(unmatchUser, { token: bo.token ?? '', params: { id } });
    await friend.page.reload();
    await see(friend.page, 'The bench by the river');
    await service.call(endDateShare, { token: ada.token ?? '', params: { id: plans[0]?.id ?? '' } });
    await friend.page.reload();
    await see(friend.page, 'This link has ended');
    for (const one of [ada, bo, friend]) forgetLostLines(one);
    expect([ada.problems, bo.problems]).toEqual([[], []]);
  });
});
