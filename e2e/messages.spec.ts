import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { unmatchUser } from '#contract/connections.ts';
import { listMyReports } from '#contract/moderation/reports.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { drawn, people, see, type Visitor } from './support/visitor.ts';

const service = serviceForTests({ members: 300 });

const phone = { width: 360, height: 740 };

async function idOf({ email }: { email: string }): Promise<string> {
  const { rows } = await service.pool.query<{ id: string }>('select id from account where email = $1', [email]);
  return rows[0]?.id ?? '';
}

async function matchOf(one: string, other: string): Promise<string> {
  const { rows } = await service.pool.query<{ id: string }>(
    'select id from match where low_id = least($1::uuid, $2::uuid) and high_id = greatest($1::uuid, $2::uuid)',
    [one, other],
  );
  return rows[0]?.id ?? '';
}

/** The id of the member's open conversation with the newest message by someone other than `except`. */
async function conversationWithAnswer(member: string, except: string): Promise<string> {
  const { rows } = await service.pool.query<{ id: string }>(
    `select match.id from match join message on message.conversation_id = match.id
      where $1 in (match.low_id, match.high_id) and message.sender_id not in ($1, $2) and message.deleted_at is null
      order by message.sent_at desc limit 1`,
    [member, except],
  );
  return rows[0]?.id ?? '';
}

const composer = (page: Page) => page.getByRole('textbox', { name: /^Write to / });
const log = (page: Page) => page.getByRole('region', { name: /^Messages with / });
const often = (page: Page, text: string) => log(page).getByText(text, { exact: true }).count();

async function write(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

const more = (page: Page) => page.getByRole('button', { name: 'More about this message' });

/** Fills in the open report form and sends it. */
async function report(page: Page, words: string): Promise<void> {
  await page.getByLabel('Insults, threats or harassment').check();
  await page.getByLabel('What happened?').fill(words);
  await page.getByRole('button', { name: 'Send report' }).click();
  await see(page, 'Thank you, we have your report');
}

/** Sockets without a network log expected console errors. */
function forgetLostLines({ problems }: Visitor): void {
  const others = problems.filter((problem) => !/WebSocket/.test(problem));
  problems.splice(0, problems.length, ...others);
}

describe('the newest message', () => {
  it('stays in view when the message area shrinks while scrolling, until the reader scrolls up', async () => {
    const { page } = await service.visitor({ as: people.bo, ...phone });
    const id = await conversationWithAnswer(await idOf(people.bo), await idOf(people.ada));
    await service.pool.query(
      `insert into message (conversation_id, seq, sender_id, client_id, body, sent_at, read_at)
      select c.id, seq, c.low_id, 'long-' || seq, 'Line ' || seq, now(), now()
      from conversation c cross join generate_series(c.last_seq + 1, c.last_seq + 40) seq where c.id = $1`,
      [id],
    );
    await service.pool.query('update conversation set last_seq = last_seq + 40 where id = $1', [id]);
    await page.goto(`/app/messages/${id}`);
    await log(page).waitFor();
    const toNewest = page.getByRole('button', { name: 'To the newest' });
    const inLog = (script: string) =>
      page.evaluate<number>(
        `(() => { const region = document.querySelector('[role=region][aria-label^="Messages with"]'); ${script} })()`,
      );
    const distance = () => inLog('return region.scrollHeight - region.scrollTop - region.clientHeight');
    await eventually(distance).toBeLessThan(2);
    await drawn(page);

    // In one task, so that the scroll event fires after the area has shrunk and before the resize is reported.
    await inLog("region.scrollTop -= 1; region.style.maxHeight = region.clientHeight - 160 + 'px'");
    await drawn(page);
    await eventually(distance).toBeLessThan(2);
    expect(await toNewest.count()).toBe(0);

    // A row grows just as the area shrinks.
    await inLog(
      "region.style.maxHeight = region.clientHeight - 60 + 'px'; region.querySelector('li:last-child').style.paddingTop = '200px'",
    );
    await drawn(page);
    await eventually(distance).toBeLessThan(2);

    await inLog('region.scrollBy(0, -500)');
    await toNewest.waitFor();
    await inLog("region.style.removeProperty('max-height')");
    await drawn(page);
    expect(await distance()).toBeGreaterThan(100);
  });
});

describe('two matched members', () => {
  it('can chat live and through an outage, until one ends the match and the other reports', async () => {
    const [ada, bo] = [await service.visitor({ as: people.ada }), await service.visitor({ as: people.bo, ...phone })];
    const [adaId, boId] = [await idOf(people.ada), await idOf(people.bo)];
    const id = await matchOf(adaId, boId);
    for (const { page } of [ada, bo]) {
      await page.goto(`/app/messages/${id}`);
      await composer(page).waitFor();
    }

    await write(bo.page, 'Is the yellow scarf yours?');
    await see(log(ada.page), 'Is the yellow scarf yours?');
    await write(ada.page, 'It is, and so is the umbrella.');
    await see(log(bo.page), 'It is, and so is the umbrella.');
    await see(log(ada.page), 'Read');
    await composer(bo.page).pressSequentially('The bench by the river', { delay: 200 });
    await see(ada.page, /is typing…$/);

    await ada.context.setOffline(true);
    await write(ada.page, 'We are in a tunnel');
    await see(log(ada.page), 'We are in a tunnel');
    await ada.context.setOffline(false);
    await see(log(bo.page), 'We are in a tunnel');
    await ada.page.reload();
    await composer(ada.page).waitFor();
    await eventually(() => often(ada.page, 'We are in a tunnel')).toBe(1);
    expect(await often(bo.page, 'We are in a tunnel')).toBe(1);

    await write(bo.page, 'You will be sorry');
    await see(log(ada.page), 'You will be sorry');
    await more(bo.page).last().click();
    await bo.page.getByRole('button', { name: 'Delete' }).click();
    await bo.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await see(log(ada.page), 'Message deleted');
    await service.call(unmatchUser, { token: bo.token ?? '', params: { id } });
    await see(ada.page, /^This match is over\./);
    expect(await composer(ada.page).count()).toBe(0);
    await ada.page.getByRole('link', { name: 'Report what was written here' }).click();
    await report(ada.page, 'He threatened me, and took it back.');
    await ada.page.goto(`/app/messages/${id}`);
    await see(ada.page, "This conversation isn't available.", 'Report what was written here');

    const [filed] = (await service.call(listMyReports, { token: ada.token ?? '' })).body.data.reports;
    expect(filed?.reportedUser).toBe(null);
    const desk = await service.visitor({ as: people.administrator });
    await desk.page.goto(`/reports/${filed?._id}`);
    await desk.page.getByRole('button', { name: /^Show \d+ message/ }).click();
    const copied = desk.page.getByRole('list', { name: 'Copied messages' });
    await see(copied, 'Is the yellow scarf yours?', 'You will be sorry', 'Deleted', 'Reported person', 'Reporter');
    await see(desk.page, 'Unaltered');
    forgetLostLines(ada);
  });

  it('can report a message, which hides both from each other, or block its author', async () => {
    const { page, token = '' } = await service.visitor({ as: people.ada, ...phone });
    const [ada, bo] = [await idOf(people.ada), await idOf(people.bo)];
    const reported = await conversationWithAnswer(ada, bo);
    await page.goto(`/app/messages/${reported}`);
    await composer(page).waitFor();
    // Only messages of the other person can be reported.
    const reporting = page.getByRole('button', { name: 'Report this message' });
    for (let place = (await more(page).count()) - 1; place >= 0 && (await reporting.count()) === 0; place -= 1) {
      await more(page).nth(place).click();
    }
    await reporting.click();
    await page.getByRole('heading', { level: 1, name: /^Report a message from / }).waitFor();
    await report(page, 'Please look at this one.');
    await see(page, "You and this person no longer see each other. They won't be notified.");
    await page.goto(`/app/messages/${reported}`);
    await see(page, "This conversation isn't available.");
    const [filed] = (await service.call(listMyReports, { token })).body.data.reports;
    const desk = await service.visitor({ as: people.administrator, ...phone });
    await desk.page.goto(`/reports/${filed?._id}`);
    await desk.page.getByRole('button', { name: /^Show \d+ message/ }).click();
    await see(desk.page.getByRole('list', { name: 'Copied messages' }), 'Reported message');

    const blocked = `/app/messages/${await conversationWithAnswer(ada, bo)}`;
    await page.goto(blocked);
    await composer(page).waitFor();
    await page.getByRole('button', { name: /^Report or block / }).click();
    const sent = page.waitForResponse((response) => response.request().method() === 'POST' && response.ok());
    await page.getByRole('button', { name: 'Block', exact: true }).click();
    await see(page, /^This match is over\./);
    await sent;
    await page.goto(blocked);
    await see(page, "This conversation isn't available.");
  });
});
