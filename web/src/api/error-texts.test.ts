import { describe, expect, it } from 'vitest';
import { errorText } from './api-error.ts';

describe('errorText returns the right text for', () => {
  it.each([
    [
      'an answer with a message',
      { status: 409, body: { message: 'User already exists', error: 'no' } },
      'User already exists',
    ],
    ['a 500 with a message', { status: 500, body: { message: 'Out of order' } }, 'Out of order'],
    ['an answer with a plain string', { status: 400, body: 'Bad thing' }, 'Bad thing'],
    ['an answer with an error field', { status: 400, body: { error: 'Broken', errors: [{ msg: 'x' }] } }, 'Broken'],
    ['an answer with an error field and a blank message', { status: 400, body: { message: ' ', error: 'Broken' } }, 'Broken'],
    [
      'an answer with a list of errors with a msg',
      { status: 400, body: { errors: [{ msg: 'First' }, { msg: 'Second' }] } },
      'First',
    ],
    ['an answer with a list of errors with a message', { status: 400, body: { errors: [{ message: 'Worded' }] } }, 'Worded'],
    ['an answer with a list of errors without texts', { status: 400, body: { errors: [{}] } }, 'Validation error'],
    ['an answer with a list of plain texts', { status: 400, body: { errors: ['odd'] } }, 'Validation error'],
    ['a 500 without a text', { status: 500, body: '' }, 'Server error: Please try again later.'],
    ["a proxy's HTML page", { status: 502, body: '<html>Bad gateway</html>' }, 'Server error: Please try again later.'],
    ['a thrown error with a message', { message: 'Something specific' }, 'Something specific'],
    ['a thrown error with a message during a network failure', { message: 'Cut', isNetworkFailure: true }, 'Cut'],
    ['a network failure', { isNetworkFailure: true }, 'Network error. Please check your internet connection.'],
    ['an answer with an empty list of errors', { status: 400, body: { errors: [] } }, 'An unknown error occurred'],
    ['an unknown failure', {}, 'An unknown error occurred'],
    ['an answer that is not an object', { status: 404, body: null }, 'An unknown error occurred'],
  ])('%s', (_rule, failure, text) => {
    expect(errorText(failure)).toBe(text);
  });
});
