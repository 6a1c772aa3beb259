import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { OwnUser } from '#contract/profiles/user.ts';
import { readDraft } from '../../../ui/form/drafts.ts';
import { LazyBoundary } from '../../../ui/loading/LazyBoundary.tsx';
import { preloadable } from '../../../ui/loading/preload.ts';
import { Panel } from '../../../ui/layout/Page.tsx';
import { habitFacts, languageName } from '../../../ui/text/detail-words.ts';
import { formatDay } from '../../../ui/text/format.ts';
import { interestName } from '../../../ui/text/interest-words.ts';
import { genderWord, placeText } from '../../../ui/text/person.ts';
import { ChipList, FactList, PromptList } from '../view/MemberDetails.tsx';
import { type UserPartProps, profileDraft } from './ProfileForm.tsx';

const loadDetails = () => import('./DetailForms.tsx');
const [AboutForm, preloadAboutForm] = preloadable(async () => (await loadDetails()).AboutForm);
const [HabitsForm, preloadHabitsForm] = preloadable(async () => (await loadDetails()).HabitsForm);
const [InterestsForm, preloadInterestsForm] = preloadable(async () => (await loadDetails()).InterestsForm);
const [LanguagesForm, preloadLanguagesForm] = preloadable(async () => (await loadDetails()).LanguagesForm);
const [PromptsForm, preloadPromptsForm] = preloadable(async () => (await import('./PromptsForm.tsx')).PromptsForm);
const [PlaceForm, preloadPlaceForm] = preloadable(async () => (await import('./PlaceForm.tsx')).PlaceForm);

const preloadForms = [
  preloadAboutForm,
  preloadPlaceForm,
  preloadHabitsForm,
  preloadInterestsForm,
  preloadLanguagesForm,
  preloadPromptsForm,
];

interface ProfileSectionProps {
  /** The name of the form's draft; if there is a draft, the form is open from the start. */
  name: string;
  title: string;
  lead?: string;
  /** The saved values. */
  summary: ReactNode;
  isEmpty: boolean;
  /** Renders the form, with functions to call when it is closed. */
  children: (leave: { onCancel: () => void; onDone: () => void }) => ReactNode;
}

/** One section of the profile: the saved values, or the form to change them. */
export function ProfileSection({ name, title, lead, summary, isEmpty, children }: ProfileSectionProps) {
  const [isOpen, setOpen] = useState(() => readDraft(profileDraft(name)) !== null);
  const [isSaved, setSaved] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isPressed = useRef(false);

  useEffect(() => {
    if (!isPressed.current) return;
    if (isOpen) place.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    else button.current?.focus();
  }, [isOpen]);

  function show(isFormShown: boolean, hasSaved: boolean) {
    isPressed.current = true;
    setOpen(isFormShown);
    setSaved(hasSaved);
  }

  return (
    <Panel
      title={title}
      {...(lead === undefined ? {} : { lead })}
      actions={
        !isOpen && (
          <Button
            ref={button}
            variant="default"
            size="xs"
            aria-label={t`Edit ${{ part: title }}`}
            onClick={() => show(true, false)}
          >
            {t`Edit`}
          </Button>
        )
      }
    >
      <Text role="status" mb="0.7rem" c="var(--hw-moss)" fw={600}>
        {isSaved && t`Saved.`}
      </Text>
      {isOpen ? (
        <div ref={place}>
          <LazyBoundary>
            {children({ onCancel: () => show(false, false), onDone: () => show(false, true) })}
          </LazyBoundary>
        </div>
      ) : isEmpty ? (
        <Text c="dimmed">{t`Nothing here yet.`}</Text>
      ) : (
        summary
      )}
    </Panel>
  );
}

type OwnPart = Pick<UserPartProps, 'user' | 'onUser'>;

interface OwnSectionsProps extends OwnPart {
  onMoved: (location: OwnUser['location']) => void;
}

function AboutSection({ user, onUser }: OwnPart) {
  const facts = [
    [t`First name`, user.firstName],
    [t`Last name`, user.lastName],
    [t`Gender`, genderWord(user)],
    [t`Birth date`, user.birthDate && formatDay(user.birthDate)],
  ] as const;
  return (
    <ProfileSection
      name="about"
      title={t`About me`}
      isEmpty={facts.every(([, words]) => words === null) && user.bio === null}
      summary={
        <>
          <FactList facts={facts} />
          {user.bio !== null && (
            <Text mt="0.9rem" style={{ whiteSpace: 'pre-line' }} dir="auto">
              {user.bio}
            </Text>
          )}
        </>
      }
    >
      {(leave) => <AboutForm {...leave} user={user} onUser={onUser} />}
    </ProfileSection>
  );
}

/** Everything that others see of the member, in sections that can be edited in place. */
export function OwnSections({ user, onUser, onMoved }: OwnSectionsProps) {
  const place = placeText(user.location);
  const habits = habitFacts(user);
  // Loads the forms in advance, so that they open at once.
  useEffect(() => {
    preloadForms.forEach((preloadForm) => preloadForm());
  }, []);
  return (
    <>
      <AboutSection user={user} onUser={onUser} />
      <ProfileSection
        name="place"
        title={t`Where I live`}
        isEmpty={place === null}
        summary={
          <Text fw={500}>
            <bdi>{place}</bdi>
          </Text>
        }
      >
        {(leave) => <PlaceForm {...leave} user={user} onMoved={onMoved} />}
      </ProfileSection>
      <ProfileSection
        name="habits"
        title={t`What I'm looking for, and how I live`}
        isEmpty={habits.every(([, words]) => words === null)}
        summary={<FactList facts={habits} />}
      >
        {(leave) => <HabitsForm {...leave} user={user} onUser={onUser} />}
      </ProfileSection>
      <ProfileSection
        name="interests"
        title={t`Interests`}
        isEmpty={user.interests.length === 0}
        summary={<ChipList label={t`Interests`} words={user.interests.map(interestName)} />}
      >
        {(leave) => <InterestsForm {...leave} user={user} onUser={onUser} />}
      </ProfileSection>
      <ProfileSection
        name="languages"
        title={t`Languages`}
        isEmpty={user.languages.length === 0}
        summary={<ChipList label={t`Languages`} words={user.languages.map((code) => languageName(code))} />}
      >
        {(leave) => <LanguagesForm {...leave} user={user} onUser={onUser} />}
      </ProfileSection>
      <ProfileSection
        name="prompts"
        title={t`In my own words`}
        lead={t`Answer up to three prompts in your own words.`}
        isEmpty={user.prompts.length === 0}
        summary={<PromptList prompts={user.prompts} />}
      >
        {(leave) => <PromptsForm {...leave} user={user} onUser={onUser} />}
      </ProfileSection>
    </>
  );
}
