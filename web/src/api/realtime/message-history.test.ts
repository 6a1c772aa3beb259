import { describe, expect, it } from 'vitest';
import { message } from '../../../test/fixtures/conversations.ts';
import {
  arrivedIds,
  emptyHistory,
  missingPages,
  newest,
  withEvent,
  withMessages,
  withRead,
} from './message-history.ts';

const at = '2025-10-20T10:00:00.000Z';
const later = '2025-10-20T11:00:00.000Z';

describe('the history of a conversation', () => {
  it('keeps the later state of a message, in whatever order both arrive', () => {
    const edited = message(1, { text: 'New', editedAt: later });
    const deleted = message(1, { text: null });
    const textAfter = (...states: (typeof edited)[]) =>
      states.reduce((history, one) => withMessages(history, [one]), emptyHistory).messages.get(1)?.text;
    expect(textAfter(edited, message(1, { text: 'Old', editedAt: at }))).toBe('New');
    expect(textAfter(message(1), edited)).toBe('New');
    expect(textAfter(deleted, edited)).toBeNull();
    expect(textAfter(edited, deleted)).toBeNull();
  });

  it('loads a deleted message again if an event shows it, and trusts the later answer', () => {
    const deleted = withMessages(emptyHistory, [message(1, { text: null })], 1);
    const event = withEvent(deleted, message(1));
    expect(missingPages(event, 1, 1, 50)).toEqual([0]);
    expect(withMessages(event, [message(1)]).messages.get(1)?.text).toBe(message(1).text);
    expect(withMessages(deleted, [message(1)], 1, deleted).messages.get(1)?.text).toBe(message(1).text);
    // The message was deleted while the answer was on its way.
    const before = withMessages(emptyHistory, [message(1)], 1);
    const after = withEvent(before, message(1, { text: null }));
    expect(withMessages(after, [message(1)], 1, before).messages.get(1)?.text).toBeNull();
  });

  it("marks the other person's messages as read and keeps them read", () => {
    const history = withRead(withMessages(emptyHistory, [message(1), message(2), message(3)]), 'ada', 2, at);
    expect([1, 2, 3].map((seq) => history.messages.get(seq)?.readAt)).toEqual([at, at, null]);
    expect(withMessages(history, [message(1)]).messages.get(1)?.readAt).toBe(at);
    expect(withRead(history, 'bo', 3, at).messages.get(3)?.readAt).toBeNull();
  });

  it('lists incomplete pages and searches no further back than the loaded messages', () => {
    const history = withMessages(emptyHistory, [message(119), message(120)], 120);
    expect(missingPages(history, 60, 120, 50)).toEqual([1, 2]);
    expect(missingPages(history, -40, 30, 50)).toEqual([0]);
    expect(newest(history, ({ seq }) => seq === 119)?.seq).toBe(119);
    expect(newest(history, ({ seq }) => seq === 1)).toBeNull();
    expect(arrivedIds(history)).toEqual(new Set(['client-119', 'client-120']));
  });
});
