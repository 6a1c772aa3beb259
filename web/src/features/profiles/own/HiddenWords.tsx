import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { hiddenWordsMax, putHiddenWords } from '#contract/profiles/hidden-words.ts';
import type { searchUsers } from '#contract/profiles/profiles.ts';
import { call } from '../../../api/call.ts';
import { keyAt } from '../../../api/endpoint-query.ts';
import { hiddenWordsQuery } from '../../../api/hidden-words.ts';
import { keys } from '../../../api/keys.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { TextArea } from '../../../ui/form/Field.tsx';
import { Form } from '../../../ui/form/Form.tsx';
import { useForm } from '../../../ui/form/use-form.ts';

function WordsForm({ saved, onSaved }: { saved: readonly string[]; onSaved: () => void }) {
  const form = useForm({
    initial: { words: saved.join('\n') },
    schema: putHiddenWords.body,
    toBody: ({ words }) => ({ words: words.split('\n').filter((word) => word.trim() !== '') }),
    fieldOf: () => 'words',
    send: async (body) => {
      await call(putHiddenWords, { body });
      await queryClient.refetchQueries(hiddenWordsQuery);
      const people = keyAt<typeof searchUsers>('/auth/search-users');
      for (const queryKey of [keys.deck, keys.likesReceived, keys.likesSent, people])
        void queryClient.invalidateQueries({ queryKey });
    },
    onSent: () => {
      form.reset();
      onSaved();
    },
  });
  return (
    <Form ref={form.form} onSubmit={form.submit}>
      <TextArea
        {...form.bind('words')}
        label={t`Words and phrases, one on each line`}
        description={t`Up to ${{ count: hiddenWordsMax }}. Only you see them.`}
        rows={5}
      />
      {form.problem !== null && <Notice kind="error">{form.problem}</Notice>}
      <div>
        <BusyButton type="submit" isBusy={form.isPending} busyText={t`Saving...`}>
          {t`Save words`}
        </BusyButton>
      </div>
    </Form>
  );
}

/** The form for the words that the member doesn't want to read. */
export function HiddenWords() {
  const query = useQuery(hiddenWordsQuery);
  const [saves, setSaves] = useState(0);
  return (
    <QueryStates
      query={query}
      loadingText={t`Loading your words...`}
      skeleton="12rem"
      errorText={(error) => t`Couldn't load your words: ${error}`}
    >
      {(words) => (
        <>
          <WordsForm saved={words} onSaved={() => setSaves(saves + 1)} />
          <div role="status">
            {saves > 0 && (
              <Notice key={saves} kind="success" isNews={false}>
                {t`Your words are saved.`}
              </Notice>
            )}
          </div>
        </>
      )}
    </QueryStates>
  );
}
