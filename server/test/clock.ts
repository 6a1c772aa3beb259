import { secondsAfter, type Clock } from '#platform/process/clock.ts';

/** A clock that moves only when a test moves it. */
export class TestClock implements Clock {
  #now: Date;

  constructor(now: Date) {
    this.#now = now;
  }

  now(): Date {
    return this.#now;
  }

  /** Moves by `seconds` (back, if negative). */
  advance(seconds: number): void {
    this.#now = secondsAfter(this.#now, seconds);
  }

  set(now: Date): void {
    this.#now = now;
  }
}
