import type { TaskList } from 'graphile-worker';
import { secondsAfter } from '../../platform/process/clock.ts';
import type { Deps } from '../../deps.ts';
import type { Schedule } from '../../platform/jobs/jobs.ts';
import type { Ticker } from '../../platform/jobs/ticker.ts';
import { forgetSeen } from '../profiles/public.ts';
import { createAround } from './deck/around.ts';
import { createCells } from './deck/cells.ts';
import { makeDeck, type DeckMaker } from './deck/deck.ts';
import { learn } from './learn/learn.ts';
import { dropOldDecks, fade, noteActivity, sampleInterests } from './learn/upkeep.ts';

const activityOverlapSeconds = 15 * 60;
/** A deck older than a day is rebuilt when its viewer returns, so older ones can be deleted. */
const deckKeptDays = 2;

const deckMakers = new WeakMap<Deps, DeckMaker>();

/** What decks are built with: one per app, because it remembers figures of the area. */
export function deckMakerOf(deps: Deps): DeckMaker {
  const known = deckMakers.get(deps);
  if (known !== undefined) return known;
  const nowMs = () => deps.clock.now().getTime();
  const maker = { db: deps.db, cells: createCells(nowMs), around: createAround(nowMs) };
  deckMakers.set(deps, maker);
  return maker;
}

/** Learns from all queued decisions. */
export async function learnAll(deps: Deps): Promise<void> {
  const maker = deckMakerOf(deps);
  while (await learn(deps.db, maker.around, deps.clock.now()));
}

/** Background work of discovery: decks, training events and decaying figures. */
export function discoveryTasks(deps: Deps): TaskList {
  const { db, clock } = deps;
  const maker = deckMakerOf(deps);
  return {
    'discovery.refill': (payload) => makeDeck(maker, (payload as { accountId: string }).accountId, clock.now()),
    'discovery.learn': () => learnAll(deps),
    'discovery.noteActivity': () => noteActivity(db, secondsAfter(clock.now(), -activityOverlapSeconds)),
    'discovery.sampleInterests': () => sampleInterests(db),
    'discovery.fade': async () => {
      await fade(db);
      await dropOldDecks(db, secondsAfter(clock.now(), -deckKeptDays * 86_400));
      await forgetSeen(db, clock.now());
    },
  };
}

export const discoveryTickers = (deps: Deps): Ticker[] => [
  { name: 'lessons', everyMs: 2000, run: () => learnAll(deps) },
];

export const discoverySchedules: Schedule[] = [
  { cron: '* * * * *', task: 'discovery.learn' },
  { cron: '*/5 * * * *', task: 'discovery.noteActivity' },
  { cron: '7 * * * *', task: 'discovery.sampleInterests' },
  { cron: '11 4 * * *', task: 'discovery.fade' },
];
