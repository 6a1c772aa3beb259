import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { fewestCounted, peopleCountedMost, type Preferences, putPreferences } from '#contract/discovery.ts';
import { ApiError } from '../../../api/api-error.ts';
import { usePeopleCount } from '../../../api/people-count.ts';
import { Disclosure } from '../../../ui/data/Disclosure.tsx';
import { Dialog, DialogActions } from '../../../ui/feedback/Dialog.tsx';
import { Notice, reasonOf } from '../../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { BasicPreferenceFields } from '../../../ui/form/BasicPreferenceFields.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Chosen } from '../../../ui/form/ChipPicker.tsx';
import { Form } from '../../../ui/form/Form.tsx';
import { useForm } from '../../../ui/form/use-form.ts';
import { formatNumber } from '../../../ui/text/format.ts';
import { usePreferences, useSavePreferences } from '../queries.ts';
import { chosenFilters } from './chosen-filters.ts';
import { MoreFilters } from './MoreFilters.tsx';
import {
  changedBody,
  countedBody,
  filtersOf,
  formOfPreferences,
  preferenceErrors,
  preferenceField,
  type PreferenceForm,
} from './preference-form.ts';
import { SavedFilters } from './SavedFilters.tsx';

interface PreferencesSheetProps {
  isPremium: boolean;
  onSaved: () => void;
  onClose: () => void;
}

/** The text of the save button, with the number of people that the preferences leave. */
function showWords(people: number | null | undefined): string {
  if (people === null || people === undefined) return t`Show people`;
  if (people < fewestCounted) return t`Show fewer than ${{ count: formatNumber(fewestCounted) }} people`;
  if (people >= peopleCountedMost) return t`Show ${{ count: formatNumber(peopleCountedMost) }}+ people`;
  return t`Show ${plural({ count: people }, { one: '# person', other: '# people' })}`;
}

function PreferencesForm({ saved, isPremium, onSaved, onClose }: PreferencesSheetProps & { saved: Preferences }) {
  const save = useSavePreferences();
  const before = formOfPreferences(saved);
  const changes = (values: PreferenceForm) => changedBody(before, values);
  const form = useForm({
    initial: before,
    schema: putPreferences.body,
    toBody: changes,
    check: preferenceErrors,
    fieldOf: preferenceField,
    send: (body) => (Object.keys(body).length === 0 ? Promise.resolve() : save.mutateAsync(body)),
    onSent: () => (Object.keys(changes(form.values)).length === 0 ? onClose : onSaved)(),
  });
  const people = usePeopleCount(countedBody(form.values));
  const chosen = chosenFilters(form.values, form.set);
  const needsPremium = form.error instanceof ApiError && form.error.code === 'PREMIUM_REQUIRED';

  return (
    <Form ref={form.form} onSubmit={form.submit}>
      <BasicPreferenceFields fields={form} />
      {chosen.length > 0 && (
        <Chosen chips={chosen} onRemove={(value) => chosen.find((one) => one.value === value)?.remove()} />
      )}
      <Disclosure title={t`More filters`} heading="h3" isPlain isLazy>
        <MoreFilters fields={form} isPremium={isPremium} />
        <SavedFilters current={() => filtersOf(form.values)} onApplied={onSaved} />
      </Disclosure>
      <DialogActions
        problem={
          (form.problem ?? form.error) !== null && (
            <Notice
              kind="error"
              action={
                needsPremium && (
                  <Button component={Link} to="/app/premium" variant="default" size="xs">
                    {t`What premium adds`}
                  </Button>
                )
              }
            >
              {form.error === null
                ? (form.problem ?? '')
                : t`Couldn't save your preferences: ${{ error: reasonOf(form.error) }}`}
            </Notice>
          )
        }
      >
        <BusyButton type="submit" size="md" fullWidth isBusy={form.isPending} busyText={t`Saving...`}>
          {showWords(people)}
        </BusyButton>
      </DialogActions>
    </Form>
  );
}

/** The member's preferences, in a sheet over the deck; they are saved together. */
export function PreferencesSheet(props: PreferencesSheetProps) {
  return (
    <Dialog title={t`Who you want to see`} size="narrow" onClose={props.onClose}>
      <QueryStates
        query={usePreferences()}
        loadingText={t`Loading your preferences...`}
        skeleton="24rem"
        errorText={(error) => t`Couldn't load your preferences: ${error}`}
      >
        {(saved) => <PreferencesForm {...props} saved={saved} />}
      </QueryStates>
    </Dialog>
  );
}
