import { describe, expect, it } from 'vitest';
import { errorText } from './api-error.ts';

describe('the text of a failure, by the first matching rule', () => {
  it.each([
    [
      "the server's message",
      { status: 409, body: { message: 'User already exists', error: 'no' } },
      'User already exists',
    ],
    ["the server's message of a 500", { status: 500, body: { message: 'Out of order' } }, 'Out of order'],
    ['a plain string body', { status: 400, body: 'Bad thing' }, 'Bad thing'],
    ['the error field', { status: 400, body: { error: 'Broken', errors: [{ msg: 'x' }] } }, 'Broken'],
    ['the error field where the message is blank', { status: 400, body: { message: ' ', error: 'Broken' } }, 'Broken'],
    [
      'the msg of the first of the list',
      { status: 400, body: { errors: [{ msg: 'First' }, { msg: 'Second' }] } },
      'First',
    ],
    ['the message of the first of the list', { status: 400, body: { errors: [{ message: 'Worded' }] } }, 'Worded'],
    ['a list without texts', { status: 400, body: { errors: [{}] } }, 'Validation error'],
    ['a list of plain texts', { status: 400, body: { errors: ['odd'] } }, 'Validation error'],
    ['a 500 without a text', { status: 500, body: '' }, 'Server error: Please try again later.'],
    ["a proxy's HTML page", { status: 502, body: '<html>Bad gateway</html>' }, 'Server error: Please try again later.'],
    ["the error's own message", { message: 'Something specific' }, 'Something specific'],
    ["an error's own message before the network", { message: 'Cut', isNetworkFailure: true }, 'Cut'],
    ['a network failure', { isNetworkFailure: true }, 'Network error. Please check your internet connection.'],
    ['an empty list', { status: 400, body: { errors: [] } }, 'An unknown error occurred'],
    ['nothing at all', {}, 'An unknown error occurred'],
    ['an answer that is not an object', { status: 404, body: null }, 'An unknown error occurred'],
  ])('%s', (_rule, failure, text) => {
    expect(errorText(failure)).toBe(text);
  });
});
