import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { likeUser, passUser } from '#contract/connections.ts';
import { cardOf, heard, onTop, openDeck, serveDeck, topCard } from '../../../test/fixtures/deck.ts';
import { received } from '../../../test/fake-server.ts';
import { passTime, simulateTime } from '../../../test/time.ts';
import { i18n } from '../../ui/text/i18n.ts';

const people = () => ['Bo', 'Cy', 'Di'].map((name) => cardOf(name));

/** Simulates a finger on a card, with a controlled clock. */
function touch(type: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel', clientX: number, atMs: number) {
  const event = new PointerEvent(type, {
    bubbles: true,
    cancelable: true,
    clientX,
    pointerId: 1,
    isPrimary: true,
    button: 0,
  });
  Object.defineProperty(event, 'timeStamp', { value: atMs });
  return event;
}

const frame = () => act(() => new Promise((resolve) => requestAnimationFrame(() => resolve(undefined))));

/** Drags slowly from 200 px by this many pixels, without releasing. */
async function drag(card: HTMLElement, px: number) {
  fireEvent(card, touch('pointerdown', 200, 0));
  for (let step = 1; step <= 10; step += 1) fireEvent(card, touch('pointermove', 200 + (px * step) / 10, step * 100));
  await frame();
}

const letGo = (card: HTMLElement, px: number, atMs = 1200) => fireEvent(card, touch('pointerup', 200 + px, atMs));
/** The opacity of the two labels: pass, like. */
const labels = (card: HTMLElement) =>
  ['pass', 'like'].map((way) => Number(card.querySelector<HTMLElement>(`[data-label="${way}"]`)?.style.opacity));

describe('rendering after a decision', () => {
  it('renders only the new card, and nothing of the bar', async () => {
    simulateTime();
    serveDeck(['Bo', 'Cy', 'Di', 'Ed', 'Fi', 'Gu', 'Ha', 'Io', 'Jo', 'Ky', 'Lu', 'Mo'].map((name) => cardOf(name)));
    const { person } = await openDeck();
    await waitFor(() => expect(document.querySelectorAll('[data-place]')).toHaveLength(4));
    // By then, everything else the page requests has been rendered.
    await passTime(200);
    // Each rendering of a label looks up its text, so this counts renderings.
    const looks = vi.spyOn(i18n, '_');
    const drawn = (text: string) =>
      looks.mock.calls.filter(([one]) => typeof one === 'object' && one.message === text).length;
    await person.click(screen.getByRole('button', { name: 'Pass on Bo' }));
    await waitFor(() => expect(heard()).toEqual(['-bo']));
    await frame();
    const counts = { faces: drawn('PASS'), bars: drawn('Preferences'), decks: drawn('Your decision') };
    looks.mockRestore();
    expect(onTop()).toBe('Cy, 34');
    expect({ ...counts, decks: counts.decks <= 4 }).toEqual({ faces: 1, bars: 0, decks: true });
  });
});

describe('throwing a card', () => {
  it('animates only the last of several cards', async () => {
    serveDeck(people());
    await openDeck();
    const flights = vi
      .spyOn(Element.prototype, 'animate')
      .mockImplementation(() => ({ finished: new Promise(() => undefined), cancel: () => undefined }) as never);
    for (const name of ['Bo', 'Cy']) fireEvent.click(screen.getByRole('button', { name: `Pass on ${name}` }));
    const leaving = [...document.querySelectorAll('[data-place="leaving"]')].map((card) => card.textContent);
    flights.mockRestore();
    expect(leaving).toHaveLength(1);
    expect(leaving[0]).toContain('Cy');
    expect(onTop()).toBe('Di, 34');
    await waitFor(() => expect(heard()).toEqual(['-bo', '-cy']));
  });

  it.each([
    ['to the right', 120, '+bo', [0, 1]],
    ['to the left', -120, '-bo', [1, 0]],
  ])('decides by a throw %s', async (_, px, decision, seen) => {
    serveDeck(people());
    await openDeck();
    const card = topCard();
    await drag(card, px);
    expect(card.style.transform).toContain(`translate3d(${px}px`);
    expect(labels(card)).toEqual(seen);
    letGo(card, px);
    expect(onTop()).toBe('Cy, 34');
    await waitFor(() => expect(heard()).toEqual([decision]));
  });

  it('keeps left for pass and right for like in right-to-left languages', async () => {
    document.documentElement.dir = 'rtl';
    serveDeck(people());
    await openDeck();
    const card = topCard();
    await drag(card, 120);
    letGo(card, 120);
    await waitFor(() => expect(received(likeUser)).toHaveLength(1));
    expect(received(passUser)).toEqual([]);
    document.documentElement.dir = '';
  });

  it('also decides with a short, fast swipe', async () => {
    serveDeck(people());
    await openDeck();
    const card = topCard();
    fireEvent(card, touch('pointerdown', 200, 0));
    fireEvent(card, touch('pointermove', 220, 20));
    fireEvent(card, touch('pointermove', 250, 50));
    letGo(card, 50, 55);
    expect(onTop()).toBe('Cy, 34');
    await waitFor(() => expect(heard()).toEqual(['+bo']));
  });

  it('returns the card after a short, slow swipe', async () => {
    serveDeck(people());
    await openDeck();
    const card = topCard();
    await drag(card, 100);
    expect(labels(card)[1]).toBeCloseTo(0.91, 2);
    letGo(card, 100);
    expect(card.style.transform).toBe('');
    expect(labels(card)).toEqual([0, 0]);
    expect(onTop()).toBe('Bo, 34');
  });

  it('decides nothing when moved back before release, even if fast', async () => {
    serveDeck(people());
    await openDeck();
    const card = topCard();
    await drag(card, 90);
    fireEvent(card, touch('pointermove', 230, 1010));
    letGo(card, 30, 1020);
    expect(onTop()).toBe('Bo, 34');
  });

  it('returns the card when the browser takes over the gesture', async () => {
    serveDeck(people());
    await openDeck();
    const card = topCard();
    await drag(card, 150);
    fireEvent(card, touch('pointercancel', 350, 1100));
    expect(card.style.transform).toBe('');
    letGo(card, 150);
    expect(onTop()).toBe('Bo, 34');
    expect(heard()).toEqual([]);
  });

  it('moves the card once per frame, however many events arrive', async () => {
    serveDeck(people());
    await openDeck();
    const card = topCard();
    const frames = vi.spyOn(window, 'requestAnimationFrame');
    fireEvent(card, touch('pointerdown', 200, 0));
    for (let step = 1; step <= 40; step += 1) fireEvent(card, touch('pointermove', 200 + step, step));
    expect(frames).toHaveBeenCalledTimes(1);
    await frame();
    expect(card.style.transform).toContain('translate3d(40px');
  });

  it('shows a label for each decision', async () => {
    serveDeck(people());
    await openDeck();
    const said = [...topCard().querySelectorAll('[data-label]')];
    expect(said.map((label) => [label.getAttribute('data-label'), label.textContent])).toEqual([
      ['pass', 'PASS'],
      ['like', 'LIKE'],
    ]);
  });

  it('does not press the button it starts on, while a tap does', async () => {
    simulateTime();
    serveDeck(people());
    const { person } = await openDeck();
    const button = screen.getByRole('button', { name: 'Like picture 1 of Bo' });
    fireEvent(button, touch('pointerdown', 200, 0));
    fireEvent(button, touch('pointermove', 160, 200));
    fireEvent(button, touch('pointerup', 160, 400));
    fireEvent.click(button);
    expect(screen.queryByRole('dialog')).toBeNull();
    await passTime(5);
    await person.click(button);
    expect(await screen.findByRole('dialog', { name: 'Like Bo' })).toBeVisible();
  });

  it('has no animation with reduced motion', async () => {
    const original = window.matchMedia;
    vi.stubGlobal('matchMedia', (query: string) => ({ ...original(query), matches: query.includes('reduced-motion') }));
    const animate = vi.spyOn(Element.prototype, 'animate');
    serveDeck(people());
    await openDeck();
    const card = topCard();
    await drag(card, 60);
    letGo(card, 60);
    await drag(card, 120);
    letGo(card, 120);
    expect(onTop()).toBe('Cy, 34');
    await waitFor(() => expect(animate).toHaveBeenCalledTimes(2));
    expect(animate.mock.calls.map(([, timing]) => (timing as KeyframeAnimationOptions).duration)).toEqual([0, 0]);
  });

  it('removes the card after its animation', async () => {
    serveDeck(people());
    const { container } = await openDeck();
    const card = topCard();
    await drag(card, 120);
    letGo(card, 120);
    expect(card.dataset['place']).toBe('leaving');
    expect(card.inert).toBe(true);
    await waitFor(() => expect(container.contains(card)).toBe(false));
  });

  it('describes the next person once the card has left', async () => {
    serveDeck(people());
    const { container } = await openDeck();
    expect(await screen.findByText('I am Bo.')).toBeVisible();
    let land = (): void => undefined;
    const finished = new Promise<void>((resolve) => (land = resolve));
    const flight = { finished, cancel: () => undefined } as unknown as Animation;
    const animate = vi.spyOn(Element.prototype, 'animate').mockReturnValue(flight);
    const card = topCard();
    await drag(card, 120);
    letGo(card, 120);
    await frame();
    expect(onTop()).toBe('Cy, 34');
    expect(container.querySelector('[data-words]')).toBeNull();
    land();
    expect(await screen.findByText('I am Cy.')).toBeVisible();
    animate.mockRestore();
  });
});
