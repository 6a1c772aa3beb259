import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type CompatibilityAnswer, deleteAnswer, putAnswer, questions } from '#contract/compatibility.ts';
import { CutOff, failWith, received, Refusal } from '../../../test/fake-server.ts';
import { serveAnswers } from '../../../test/fixtures/own-answers.ts';
import { serveOwnProfile } from '../../../test/fixtures/own-profile.ts';
import { administrator, ownUser } from '../../../test/fixtures/people.ts';
import { renderApp } from '../../../test/render-app.tsx';

const [first, second, third] = questions;
const total = questions.length;
const lastId = questions.at(-1)?.id ?? '';

/** Answers with the first option, which is also accepted from others. */
const saidTo = (questionId: string): CompatibilityAnswer => {
  const option = questions.find(({ id }) => id === questionId)?.options[0]?.id ?? '';
  return { questionId, answer: option, accepted: [option], importance: 'very' };
};
const allBut = (...ids: (string | undefined)[]) =>
  questions.filter(({ id }) => !ids.includes(id)).map(({ id }) => saidTo(id));

async function open(answers: readonly CompatibilityAnswer[] = []) {
  serveOwnProfile(ownUser());
  serveAnswers(answers);
  const app = renderApp('/app/profile', ownUser());
  await screen.findByText(/\d+ (short )?questions/);
  return app;
}

async function begin(answers: readonly CompatibilityAnswer[] = []) {
  const app = await open(answers);
  await app.person.click(button('Answer questions'));
  return app;
}

const part = () => within(screen.getByRole('region', { name: 'Questions' }));
const button = (name: string | RegExp) => part().getByRole('button', { name });
const heading = () => part().getByRole('heading', { level: 3 });
const own = () => within(part().getByRole('group', { name: 'Your answer' }));
const liked = () => within(part().getByRole('group', { name: "Answers you'd like in a partner" }));
const matters = () => within(part().getByRole('group', { name: 'How much does it matter?' }));
const sent = () => received(putAnswer).map(({ params, body }) => ({ ...params, ...body }));

describe('the profile’s questions', () => {
  it('show how many there are and are answered, and that only the result is shown to others', async () => {
    const { unmount } = await open();
    expect(
      part().getByText(`${total} short questions about living and loving together. Answer as many as you like.`),
    ).toBeVisible();
    expect(
      part().getByText('Others only see how well you match, never your answers. Changes take effect tomorrow.'),
    ).toBeVisible();
    expect(part().queryByRole('button', { name: 'Show my answers' })).toBeNull();
    unmount();
    await open([saidTo('tidiness'), saidTo('chores')]);
    expect(part().getByText(`You have answered 2 of ${total} questions.`)).toBeVisible();
  });

  it('are asked one at a time from the first unanswered one, and saved one by one', async () => {
    const { person } = await begin([saidTo(first?.id ?? '')]);
    expect(heading()).toHaveTextContent(`Question 2 of ${total}`);
    expect(heading()).toHaveTextContent(second?.text.message ?? 'none');
    expect(heading()).toHaveFocus();
    await person.click(own().getByRole('radio', { name: 'A word or two' }));
    await person.click(liked().getByRole('checkbox', { name: 'Again and again' }));
    await person.click(liked().getByRole('checkbox', { name: 'A word or two' }));
    await person.click(matters().getByRole('radio', { name: 'Very much' }));
    await person.click(button('Save and next'));
    await waitFor(() => expect(heading()).toHaveTextContent(third?.text.message ?? 'none'));
    expect(heading()).toHaveFocus();
    expect(part().getByText('Saved.')).toHaveAttribute('role', 'status');
    expect(sent()).toEqual([{ questionId: second?.id, answer: 'few', accepted: ['few', 'many'], importance: 'very' }]);
    await person.click(button('Stop for now'));
    expect(part().getByText(`You have answered 2 of ${total} questions.`)).toBeVisible();
    expect(button('Answer questions')).toHaveFocus();
  });

  it('can be skipped and come up again next time', async () => {
    const { person } = await begin(allBut(first?.id, lastId));
    await person.click(button('Skip'));
    expect(heading()).toHaveTextContent(`Question ${total} of ${total}`);
    await person.click(button('Skip'));
    expect(part().getByText("That was the last question. We'll ask the ones you skipped next time.")).toBeVisible();
    expect(button('Answer questions')).toHaveFocus();
    await person.click(button('Answer questions'));
    expect(heading()).toHaveTextContent(first?.text.message ?? 'none');
    expect(sent()).toEqual([]);
  });

  it('end when all are answered', async () => {
    const { person } = await begin(allBut(lastId));
    await person.click(own().getByRole('radio', { name: 'Yes' }));
    await person.click(liked().getByRole('checkbox', { name: 'Yes' }));
    await person.click(button('Save and next'));
    expect(await part().findByText("You've answered every question. Thank you!")).toBeVisible();
    expect(part().getByText(`You have answered ${total} of ${total} questions.`)).toBeVisible();
    expect(part().queryByRole('button', { name: 'Answer questions' })).toBeNull();
  });

  it('are hidden from staff', async () => {
    serveOwnProfile(administrator());
    renderApp('/app/profile', administrator());
    await screen.findByRole('button', { name: 'Edit About me' });
    expect(screen.queryByRole('region', { name: 'Questions' })).toBeNull();
  });

  it('can be answered by keyboard alone', async () => {
    const { person } = await open();
    button('Answer questions').focus();
    await person.keyboard('{Enter}{Tab} {Tab} {Tab}{Tab}{Tab}{Tab}{ArrowRight}{Tab}{Enter}');
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]).toMatchObject({ questionId: first?.id, accepted: [first?.options[0]?.id] });
  });
});

describe('an answer', () => {
  it('is not sent while incomplete', async () => {
    const { person } = await begin();
    await person.click(button('Save and next'));
    expect(part().getByRole('group', { name: 'Your answer' })).toHaveAccessibleDescription('Choose your own answer');
    expect(own().getAllByRole('radio')[0]).toHaveFocus();
    await person.click(own().getByRole('radio', { name: 'Hardly any' }));
    await person.click(button('Save and next'));
    expect(part().getByRole('group', { name: "Answers you'd like in a partner" })).toHaveAccessibleDescription(
      "Choose at least one, or that it doesn't matter",
    );
    expect(liked().getAllByRole('checkbox')[0]).toHaveFocus();
    expect(sent()).toEqual([]);
  });

  it('needs no accepted answers if it is not important', async () => {
    const { person } = await begin();
    await person.click(own().getByRole('radio', { name: 'Hardly any' }));
    await person.click(liked().getByRole('checkbox', { name: 'An evening a week' }));
    await person.click(matters().getByRole('radio', { name: 'Not at all' }));
    expect(liked().getByRole('checkbox', { name: 'Hardly any' })).toBeDisabled();
    expect(part().getByText("Any answer is fine, since it doesn't matter.")).toBeVisible();
    await person.click(button('Save and next'));
    await waitFor(() =>
      expect(sent()).toEqual([{ questionId: first?.id, answer: 'hardly-any', accepted: [], importance: 'irrelevant' }]),
    );
  });

  it('is marked as not counting if every answer is accepted', async () => {
    const { person } = await begin();
    for (const box of liked().getAllByRole('checkbox')) await person.click(box);
    expect(part().getByText("You accept every answer, so this question won't count.")).toBeVisible();
  });

  it("stays with the reason and can be retried if it couldn't be saved", async () => {
    const { person } = await begin();
    failWith(putAnswer, new CutOff());
    await person.click(own().getByRole('radio', { name: 'Hardly any' }));
    await person.click(liked().getByRole('checkbox', { name: 'Hardly any' }));
    await person.click(button('Save and next'));
    expect(await part().findByRole('alert')).toHaveTextContent(/^Your answer is not saved: Network error/);
    expect(own().getByRole('radio', { name: 'Hardly any' })).toBeChecked();
    serveAnswers();
    await person.click(button('Save and next'));
    await waitFor(() => expect(heading()).toHaveTextContent(second?.text.message ?? 'none'));
  });

  it('survives a reload half finished, until it is canceled', async () => {
    const { person, unmount } = await begin([saidTo(first?.id ?? '')]);
    await person.click(own().getByRole('radio', { name: 'Again and again' }));
    unmount();
    serveOwnProfile(ownUser());
    serveAnswers([saidTo(first?.id ?? '')]);
    const again = renderApp('/app/profile', ownUser());
    await waitFor(() => expect(heading()).toHaveTextContent(second?.text.message ?? 'none'));
    expect(own().getByRole('radio', { name: 'Again and again' })).toBeChecked();
    await again.person.click(button('Stop for now'));
    await again.person.click(button('Answer questions'));
    expect(own().getByRole('radio', { name: 'Again and again' })).not.toBeChecked();
  });
});

describe('your own answers', () => {
  const rows = () => part().getAllByRole('listitem');

  async function look(answers: readonly CompatibilityAnswer[]) {
    const app = await open(answers);
    await app.person.click(button('Show my answers'));
    return app;
  }

  it('are listed for review', async () => {
    const any: CompatibilityAnswer = { ...saidTo('chores'), accepted: [], importance: 'irrelevant' };
    await look([saidTo('tidiness'), any]);
    const [tidiness, chores] = rows();
    expect(tidiness).toHaveTextContent('How tidy should a shared home be?');
    expect(within(tidiness ?? document.body).getAllByText('Everything in its place')).toHaveLength(2);
    expect(tidiness).toHaveTextContent('Very much');
    expect(chores).toHaveTextContent('Any answer');
    expect(chores).toHaveTextContent('Not at all');
    expect(button('Hide my answers')).toHaveAttribute('aria-expanded', 'true');
  });

  it('can be changed one by one, and the focus returns', async () => {
    const { person } = await look([saidTo('tidiness'), saidTo('chores')]);
    await person.click(button('Change: How tidy should a shared home be?'));
    expect(own().getByRole('radio', { name: 'Everything in its place' })).toBeChecked();
    await person.click(own().getByRole('radio', { name: 'I hardly notice' }));
    await person.click(button('Save'));
    expect(await part().findByText('Saved.')).toBeVisible();
    expect(sent()).toEqual([{ ...saidTo('tidiness'), answer: 'blind' }]);
    expect(rows()[0]).toHaveTextContent('I hardly notice');
    expect(button('Change: How tidy should a shared home be?')).toHaveFocus();
    await person.click(button('Change: How tidy should a shared home be?'));
    await person.click(button('Cancel'));
    expect(button('Change: How tidy should a shared home be?')).toHaveFocus();
    expect(sent()).toHaveLength(1);
  });

  it('can be deleted, and restored', async () => {
    const { person } = await look([saidTo('tidiness')]);
    await person.click(button('Delete: How tidy should a shared home be?'));
    expect(await part().findByText('Answer deleted.')).toBeVisible();
    expect(part().queryByRole('listitem')).toBeNull();
    expect(received(deleteAnswer).map(({ params }) => params.questionId)).toEqual(['tidiness']);
    await person.click(button('Undo'));
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(sent()).toEqual([saidTo('tidiness')]);
    expect(part().queryByText('Answer deleted.')).toBeNull();
  });

  it("stay with an error when they can't be deleted", async () => {
    const { person } = await look([saidTo('tidiness')]);
    failWith(deleteAnswer, new Refusal('UNAVAILABLE', 'Please try again later'));
    await person.click(button(/^Delete/));
    expect(await part().findByRole('alert')).toHaveTextContent("That didn't work: Please try again later");
    expect(rows()).toHaveLength(1);
  });
});
