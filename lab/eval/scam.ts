import { parseArgs } from 'node:util';
import { freeLikesPerDay } from '#contract/constants.ts';
import { ruleHoldsPerHour } from '#contract/moderation/automatic-rules.ts';
import { type RuleCondition, type RuleFactValues, ruleFacts } from '#contract/moderation/rule-words.ts';
import { createRandom, type Random } from '../random.ts';
import { cautionFor, matches, printsOf } from './rules.ts';
import { scamText, writerOf } from './scam-texts.ts';

const usage = `Use: npm run eval:scam -- [--seed=N] [--bots=N] [--newcomers=N] [--members=N]
  Simulates a week in which bots with one romance scam join beside genuine newcomers, and fails if a goal is missed.
  Texts, their comparison and the rule are the product's; people, their speed and the reviews are simulated.
`;

/** The shipped rule "Copied scam from new accounts". */
const rule: RuleCondition[] = [
  { fact: 'accountAgeHours', value: 72 },
  { fact: 'warnedTextSenders', value: 5 },
];
const hour = 60;
const day = 24 * hour;
const printsCompared = 60;
const reviewsPerHour = 60;
const likedBack = 0.05;
const dailyTexts = { bot: freeLikesPerDay, newcomer: 6 };

interface Sender {
  isBot: boolean;
  joinedAt: number;
  write: () => string;
  prints: Map<string, boolean>;
  heldAt: number | null;
  /** How long the person was held, once someone has decided. */
  heldFor: number | null;
  isBanned: boolean;
  isHit: boolean;
  /** The members who would receive held texts, and those who liked back and wait for the first message. */
  waiting: number[];
  matches: number[];
}

interface Setting {
  seed: number;
  bots: number;
  newcomers: number;
  members: number;
}

/** The minutes at which a person writes: they are awake for fourteen hours, and pause several minutes after each text. */
function timesOf(random: Random, { isBot, joinedAt }: Sender, until: number): number[] {
  const times: number[] = [];
  for (let from = joinedAt; from < until; from += day) {
    let at = from + random.between(1, isBot ? 30 : 6 * hour);
    for (let count = 0; count < (isBot ? dailyTexts.bot : random.between(0, 2 * dailyTexts.newcomer)); count += 1) {
      if (at < until && at < from + 14 * hour) times.push(at);
      at += random.between(3, 15);
    }
  }
  return times;
}

/** Simulates a week of texts, hits of the rule, and reviews of the people hit, minute by minute. */
class Week {
  readonly senders: Sender[];
  readonly queue: Sender[] = [];
  /** The members who saw a scam text. */
  readonly reached = new Set<number>();
  sent = { scam: 0, genuine: 0, delivered: 0 };
  /** When a person was held. */
  private readonly holds: number[] = [];
  private readonly byPrint = new Map<string, Set<Sender>>();
  private readonly random: Random;
  private readonly members: number;

  constructor({ seed, bots, newcomers, members }: Setting) {
    this.random = createRandom(seed);
    this.members = members;
    this.senders = Array.from({ length: bots + newcomers }, (_, index) => this.join(index < bots));
  }

  private join(isBot: boolean): Sender {
    const { random } = this;
    return {
      isBot,
      joinedAt: random.between(0, (isBot ? 0.5 : 5) * day),
      write: isBot ? () => scamText(random) : writerOf(random),
      prints: new Map(),
      heldAt: null,
      heldFor: null,
      isBanned: false,
      isHit: false,
      waiting: [],
      matches: [],
    };
  }

  /** What the product does before it delivers a text: it stores its fingerprints, determines the facts and applies the rule. */
  private compare(sender: Sender, text: string, at: number): boolean {
    const isWarned = cautionFor(text) !== null;
    for (const print of printsOf(text)) {
      sender.prints.set(print, sender.prints.get(print) === true || isWarned);
      this.byPrint.set(print, (this.byPrint.get(print) ?? new Set()).add(sender));
    }
    const most = (isCounted: (one: Sender, print: string) => boolean) =>
      Math.max(
        0,
        ...[...sender.prints.keys()]
          .slice(-printsCompared)
          .filter((print) => isCounted(sender, print))
          .map((print) => [...(this.byPrint.get(print) ?? [])].filter((one) => isCounted(one, print)).length),
      );
    const facts: RuleFactValues = {
      ...(Object.fromEntries(ruleFacts.map((fact) => [fact, 0])) as RuleFactValues),
      accountAgeHours: Math.floor((at - sender.joinedAt) / hour),
      sameTextSenders: most(() => true),
      warnedTextSenders: most((one, print) => one.prints.get(print) === true),
    };
    return matches(rule, facts);
  }

  /** A person writes to a member: a note, or the first message to someone who liked back. */
  private write(sender: Sender, at: number): void {
    const to = sender.matches.pop() ?? Math.floor(this.random.next() * this.members);
    this.sent[sender.isBot ? 'scam' : 'genuine'] += 1;
    if (this.compare(sender, sender.write(), at) && !sender.isHit) {
      sender.isHit = true;
      this.hold(sender, at);
      this.queue.push(sender);
    }
    if (sender.heldAt === null) this.deliver(sender, to);
    else sender.waiting.push(to);
  }

  /** Holds a person who was hit, unless the rule has already held the maximum within the hour. */
  private hold(sender: Sender, at: number): void {
    if (this.holds.filter((heldAt) => heldAt > at - hour).length >= ruleHoldsPerHour) return;
    sender.heldAt = at;
    this.holds.push(at);
  }

  private deliver(sender: Sender, to: number): void {
    if (!sender.isBot) return;
    this.sent.delivered += 1;
    this.reached.add(to);
    if (this.random.next() < likedBack) sender.matches.push(to);
  }

  /** A moderator decides about the person who has waited longest. */
  private review(at: number): void {
    const sender = this.queue.shift();
    if (sender === undefined) return;
    sender.heldFor = sender.heldAt === null ? null : at - sender.heldAt;
    sender.heldAt = null;
    sender.isBanned = sender.isBot;
    for (const to of sender.isBot ? [] : sender.waiting.splice(0)) this.deliver(sender, to);
  }

  run(): void {
    const until = 7 * day;
    const texts = this.senders.flatMap((sender) =>
      timesOf(this.random, sender, until).map((at) => ({ at, act: () => !sender.isBanned && this.write(sender, at) })),
    );
    const reviews = Array.from({ length: (until / hour) * reviewsPerHour }, (_, index) => {
      const at = (index * hour) / reviewsPerHour;
      return { at, act: () => this.review(at) };
    });
    for (const { act } of [...texts, ...reviews].sort((one, other) => one.at - other.at)) act();
  }
}

/** Simulates a week; returns its figures, each with its goal. */
function simulate(setting: Setting) {
  const week = new Week(setting);
  week.run();
  const held = (isBot: boolean) =>
    week.senders.filter((one) => one.isBot === isBot && (one.heldFor ?? one.heldAt) !== null);
  const longestHours = Math.max(0, ...held(false).map(({ heldFor }) => (heldFor ?? Infinity) / hour));
  const { scam, genuine, delivered } = week.sent;
  const facts = `${scam} scam texts, of which ${delivered} were delivered; ${genuine} genuine ones; ${held(true).length} of ${setting.bots} bots held`;
  const figures = [
    { what: 'members who saw a scam text', value: (100 * week.reached.size) / setting.members, unit: '%', goal: 1 },
    { what: 'genuine newcomers held', value: (100 * held(false).length) / setting.newcomers, unit: '%', goal: 0.5 },
    { what: 'the longest hold of a newcomer', value: longestHours, unit: ' h', goal: 24 },
  ];
  return { facts, figures };
}

function main(): number {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      bots: { type: 'string', default: '500' },
      newcomers: { type: 'string', default: '2000' },
      members: { type: 'string', default: '5000' },
      help: { type: 'boolean', default: false },
    },
  });
  const { help, ...numbers } = values;
  const setting = Object.fromEntries(Object.entries(numbers).map(([name, text]) => [name, Number(text)]));
  if (help || Object.values(setting).some((value) => !Number.isInteger(value) || value < 1)) {
    process.stdout.write(usage);
    return help ? 0 : 1;
  }
  const { facts, figures } = simulate(setting as unknown as Setting);
  const lines = figures.map(({ what, value, unit, goal }) => {
    const verdict = value <= goal ? 'kept' : 'MISSED';
    return `${what}: ${value.toFixed(2)}${unit} (goal: at most ${goal}${unit}, ${verdict})`;
  });
  process.stdout.write(`${facts}\n${lines.join('\n')}\n`);
  return figures.every(({ value, goal }) => value <= goal) ? 0 : 1;
}

process.exitCode = main();
