import { act, renderHook } from '@testing-library/react';
import * as z from 'zod/mini';
import { describe, expect, it } from 'vitest';
import { Surroundings } from '../../../test/render-app.tsx';
import { keepDraft, readDraft } from './drafts.ts';
import { useForm } from './use-form.ts';

interface Values extends Record<string, string | boolean> {
  name: string;
  city: string;
  isOpen: boolean;
}

const saved: Values = { name: 'Ada', city: 'Lisbon', isOpen: false };

function open(initial = saved) {
  return renderHook(
    ({ initial: now }) =>
      useForm({
        initial: now,
        draft: 'test',
        schema: z.object({}),
        toBody: (values) => values,
        send: () => Promise.resolve(),
        onSent: () => undefined,
      }),
    { wrapper: Surroundings, initialProps: { initial } },
  );
}

describe('the draft of a form', () => {
  it('contains only edited fields that differ, with their original values', () => {
    const { result } = open();
    act(() => result.current.set('name', 'Augusta'));
    act(() => result.current.set('isOpen', true));
    act(() => result.current.set('city', 'Porto'));
    act(() => result.current.set('city', 'Lisbon'));
    expect(readDraft('test')).toEqual({
      name: { value: 'Augusta', from: 'Ada' },
      isOpen: { value: true, from: false },
    });
    act(() => result.current.set('name', 'Ada'));
    act(() => result.current.set('isOpen', false));
    expect(readDraft('test')).toBeNull();
  });

  it('shows the current values in all other fields', () => {
    const first = open();
    act(() => first.result.current.set('name', 'Augusta'));
    first.unmount();
    const { result } = open({ name: 'Adele', city: 'Rome', isOpen: true });
    expect(result.current.hasDraft).toBe(true);
    expect(result.current.values).toEqual({ name: 'Augusta', city: 'Rome', isOpen: true });
    expect(result.current.start).toEqual({ name: 'Ada', city: 'Rome', isOpen: true });
  });

  it('shows reloaded values only in fields that were not edited', () => {
    const { result, rerender } = open();
    act(() => result.current.set('name', 'Augusta'));
    rerender({ initial: { name: 'Adele', city: 'Rome', isOpen: true } });
    expect(result.current.values).toEqual({ name: 'Augusta', city: 'Rome', isOpen: true });
    expect(result.current.start).toMatchObject({ name: 'Ada' });
    act(() => result.current.set('name', 'Ada'));
    expect(result.current.edits).toEqual({ name: { value: 'Ada', from: 'Ada' } });
  });

  it('is removed once the current value equals the typed one', () => {
    const first = open();
    act(() => first.result.current.set('name', 'Augusta'));
    first.unmount();
    const { result } = open({ ...saved, name: 'Augusta' });
    expect(result.current.hasDraft).toBe(false);
    expect(readDraft('test')).toBeNull();
  });

  it('is still read if an earlier version stored the values of all fields', () => {
    keepDraft('test', { name: 'Augusta', city: 'Lisbon', isOpen: 'true', gone: 'x' });
    const { result } = open();
    expect(result.current.values).toEqual({ name: 'Augusta', city: 'Lisbon', isOpen: true });
    expect(Object.keys(result.current.edits)).toEqual(['name', 'isOpen']);
  });
});
