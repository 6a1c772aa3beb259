import { act } from '@testing-library/react';
import { vi } from 'vitest';

/** From here to the end of the test, timers use a simulated time that runs like the real one, and that `passTime` skips. */
export function simulateTime(): void {
  vi.useFakeTimers({ shouldAdvanceTime: true });
}

/** Runs everything that the page does within the next milliseconds of simulated time. */
export async function passTime(ms: number): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(ms));
}
