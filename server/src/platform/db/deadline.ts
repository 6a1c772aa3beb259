import { AppError } from '../http/app-error.ts';

/** What `work` comes to, or 503 after `ms`; the work itself goes on, and what it writes then is the sender's to find out. */
export async function withDeadline<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(
      new AppError('UNAVAILABLE', 'This takes too long right now. Please try again in a moment.', {
        retryAfterSeconds: 2,
      }),
    );
  }, ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
