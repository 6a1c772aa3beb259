import { secondsAfter, type Clock } from '../src/platform/process/clock.ts';

/** A clock that only moves when told to. */
export class TestClock implements Clock {
  #now: Date;

  constructor(now: Date) {
    this.#now = now;
  }

  now(): Date {
    return this.#now;
  }

  /** Moves on (or back, if negative) by `seconds`. */
  advance(seconds: number): void {
    this.#now = secondsAfter(this.#now, seconds);
  }

  set(now: Date): void {
    this.#now = now;
  }
}
