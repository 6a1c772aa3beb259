import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { changeRule, listRules } from '#contract/moderation/decisions.ts';
import {
  addReplyTemplate,
  changeReplyTemplate,
  listReplyTemplates,
  retireReplyTemplate,
} from '#contract/moderation/templates.ts';
import { addTag, listTags, mergeTag, renameTag, retireTag } from '#contract/moderation/tags.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { replyTemplate } from '../../../test/fixtures/staff/staff-reports.ts';
import { fileTag } from '../../../test/fixtures/staff/user-files.ts';
import { renderApp } from '../../../test/render-app.tsx';

const rule = {
  _id: 'rule-5',
  clause: '5',
  version: 1,
  title: 'No scams',
  text: 'No requests for money.',
  createdAt: '2025-01-01T00:00:00.000Z',
  createdBy: 'Heartwood',
};

const template = replyTemplate();

beforeEach(() => {
  serve(listRules, () => ({ data: { rules: [rule] } }));
  serve(listTags, () => ({ data: { tags: [fileTag(), fileTag({ _id: 'tag-2', name: 'Scam', userCount: 100 })] } }));
  serve(listReplyTemplates, () => ({ data: { templates: [template] } }));
});

describe('the templates of replies', () => {
  it('are shown to moderators', async () => {
    renderApp('/rules', moderator());
    expect(await screen.findByRole('heading', { name: 'Explain a rule' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Change Explain a rule' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Add template' })).toBeNull();
  });

  it('can be added with a preview of what the reporter reads', async () => {
    serve(addReplyTemplate, ({ body }) => ({
      data: { template: replyTemplate({ name: body.name, text: body.text, _id: 'new' }) },
    }));
    const { person } = renderApp('/rules', administrator());
    await person.click(await screen.findByRole('button', { name: 'Add template' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add template' }));
    await person.type(dialog.getByRole('textbox', { name: /^Name/ }), 'Thanks');
    await person.type(dialog.getByRole('textbox', { name: /^Text/ }), 'Hi {{firstName}, <b>thanks</b> for {{foo}.');
    await person.click(dialog.getByText('Preview as the reporter sees it'));
    expect(dialog.getByText('Hi Sam, <b>thanks</b> for {foo}.')).toBeVisible();
    await person.click(dialog.getByRole('button', { name: 'Save' }));
    expect(dialog.getByText('There is no variable “foo”. Use firstName, date, type, rule.')).toBeVisible();
    expect(received(addReplyTemplate)).toEqual([]);
    await person.clear(dialog.getByRole('textbox', { name: /^Text/ }));
    await person.click(dialog.getByRole('button', { name: 'Insert {firstName}' }));
    expect(dialog.getByRole('combobox', { name: 'Language' })).toHaveDisplayValue('English');
    await person.selectOptions(dialog.getByRole('combobox', { name: 'Language' }), 'Polski');
    await person.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(received(addReplyTemplate).map(({ body }) => body)).toEqual([
      { kind: 'reply', language: 'pl', name: 'Thanks', text: '{firstName}' },
    ]);
  });

  it('offer only placeholders that reveal nothing about a report when they are for facts', async () => {
    const { person } = renderApp('/rules', administrator());
    await person.click(await screen.findByRole('button', { name: 'Add template' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add template' }));
    await person.selectOptions(dialog.getByRole('combobox', { name: 'Used for' }), 'facts');
    expect(dialog.queryByRole('button', { name: 'Insert {date}' })).toBeNull();
    await person.type(dialog.getByRole('textbox', { name: /^Name/ }), 'Insults');
    await person.click(dialog.getByRole('textbox', { name: /^Text/ }));
    await person.paste('On {date}');
    await person.click(dialog.getByRole('button', { name: 'Save' }));
    expect(dialog.getByText('There is no variable “date”. Use firstName, rule.')).toBeVisible();
    expect(received(addReplyTemplate)).toEqual([]);
  });

  it('can be changed and retired, unless a colleague was faster', async () => {
    serve(retireReplyTemplate, () => ({}));
    failWith(changeReplyTemplate, new Refusal('CONFLICT', 'A colleague has just changed or retired this template'));
    const { person } = renderApp('/rules', administrator());
    await person.click(await screen.findByRole('button', { name: 'Change Explain a rule' }));
    await person.click(screen.getByRole('button', { name: 'Save as a new version' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('A colleague has just changed or retired this template');
    await person.click(screen.getByRole('button', { name: 'Cancel' }));
    await person.click(screen.getByRole('button', { name: 'Retire Explain a rule' }));
    await person.click(await screen.findByRole('button', { name: 'Retire' }));
    await waitFor(() => expect(received(retireReplyTemplate).map(({ params }) => params.id)).toEqual([template._id]));
  });
});

describe('the community rules', () => {
  it('are shown to moderators with their version', async () => {
    renderApp('/rules', moderator());
    expect(await screen.findByRole('heading', { name: '5. No scams' })).toBeVisible();
    const panel = screen.getByRole('region', { name: '5. No scams' });
    expect(within(panel).getByText(/Version 1 by Heartwood/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Change rule 5' })).toBeNull();
  });

  it('can get a new version from administrators', async () => {
    serve(changeRule, ({ body }) => ({ data: { rule: { ...rule, ...body, _id: 'rule-5b', version: 2 } } }));
    const { person } = renderApp('/rules', administrator());
    await person.click(await screen.findByRole('button', { name: 'Change rule 5' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change rule 5' }));
    await person.clear(dialog.getByRole('textbox', { name: /^Text/ }));
    await person.type(dialog.getByRole('textbox', { name: /^Text/ }), 'No money at all.');
    await person.click(dialog.getByRole('button', { name: 'Save as a new version' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(received(changeRule).map(({ body }) => body)).toEqual([{ title: 'No scams', text: 'No money at all.' }]);
  });

  it('show when a colleague was faster', async () => {
    failWith(changeRule, new Refusal('CONFLICT', 'A colleague has just changed this rule'));
    const { person } = renderApp('/rules', administrator());
    await person.click(await screen.findByRole('button', { name: 'Change rule 5' }));
    await person.click(screen.getByRole('button', { name: 'Save as a new version' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('A colleague has just changed this rule');
  });
});

describe('the tags', () => {
  it('are shown to moderators with how many people have each', async () => {
    renderApp('/rules', moderator());
    const tags = within(await screen.findByRole('region', { name: 'Tags' }));
    expect(await tags.findByText('Call back')).toBeVisible();
    expect(tags.getByText('2 people')).toBeVisible();
    expect(tags.getByText('100 people or more')).toBeVisible();
    expect(tags.queryByRole('button')).toBeNull();
  });

  it('are added and renamed by administrators, and show which name is taken', async () => {
    failWith(
      addTag,
      new Refusal('CONFLICT', 'Check the name', {
        errors: [{ field: 'name', msg: 'There is a tag with this name' }],
      }),
    );
    serve(renameTag, ({ body }) => ({ data: { tag: fileTag(body) } }));
    const { person } = renderApp('/rules', administrator());
    await person.click(await screen.findByRole('button', { name: 'Add tag' }));
    await person.type(screen.getByRole('textbox', { name: /^Name/ }), 'scam');
    await person.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('There is a tag with this name')).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Cancel' }));
    await person.click(screen.getByRole('button', { name: 'Rename Call back' }));
    await person.type(screen.getByRole('textbox', { name: /^Name/ }), ' soon');
    await person.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(received(renameTag)).toMatchObject([{ params: { id: 'tag-1' }, body: { name: 'Call back soon' } }]);
  });

  it('are retired, or merged into another one', async () => {
    serve(retireTag, () => ({ data: { tag: fileTag({ isRetired: true }) } }));
    serve(mergeTag, () => ({ data: { tag: fileTag() } }));
    const { person } = renderApp('/rules', administrator());
    await person.click(await screen.findByRole('button', { name: 'Retire or merge Call back' }));
    await person.click(screen.getByRole('button', { name: 'Retire' }));
    await waitFor(() => expect(received(retireTag)).toMatchObject([{ params: { id: 'tag-1' } }]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await person.click(screen.getByRole('button', { name: 'Retire or merge Call back' }));
    await person.selectOptions(screen.getByRole('combobox', { name: 'People who have it' }), 'Have “Scam” instead');
    await person.click(screen.getByRole('button', { name: 'Merge' }));
    await waitFor(() =>
      expect(received(mergeTag)).toMatchObject([{ params: { id: 'tag-1' }, body: { into: 'tag-2' } }]),
    );
  });
});
