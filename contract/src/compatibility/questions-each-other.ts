/** Questions about treating each other well, by topic. Questions and options are stored by key; keys never change. */
export const questionsOfEachOther = {
  'When we disagree': {
    'when-angry': {
      text: 'You are angry with someone you love. What do you do first?',
      options: {
        say: 'I say it right away',
        cool: 'I need an hour, then I talk',
        write: 'I put it in writing',
        'let-pass': 'I let it pass',
      },
    },
    'sleep-on-it': {
      text: 'Is it all right to go to sleep in the middle of an argument?',
      options: { yes: 'Yes, we are wiser tomorrow', no: 'No, I want to settle it first' },
    },
    'raised-voices': {
      text: 'What if voices are raised?',
      options: { clears: 'That clears the air', rare: 'It happens, and we say sorry', never: 'I can’t stand shouting' },
    },
    'first-step': {
      text: 'After an argument, who makes the first step?',
      options: { me: 'Mostly me', wrong: 'The one who was wrong', either: 'Either, as long as one of us does' },
    },
    criticism: {
      text: 'How do you like to hear that something bothers your partner?',
      options: { straight: 'Straight to the point', kindly: 'Gently', later: 'Later, when the moment is calm' },
    },
  },
  'Friends and family': {
    'family-visits': {
      text: 'How often would you like to see your family?',
      options: {
        weekly: 'Every week',
        monthly: 'About once a month',
        'big-days': 'On special occasions',
        rarely: 'Rarely',
      },
    },
    'own-friends': {
      text: 'Should a couple share their friends?',
      options: { shared: 'Mostly shared', both: 'Some shared, some our own', own: 'Each has their own' },
    },
    parties: {
      text: 'At a party full of strangers, where are you?',
      options: { middle: 'In the middle of it', kitchen: 'In the kitchen with two people', home: 'On my way home' },
    },
    'moving-in': {
      text: 'When would you move in together?',
      options: {
        soon: 'Within the first year',
        later: 'After a year or two',
        promised: 'Once we are sure we will stay together',
        'two-homes': 'I would rather keep two homes',
      },
    },
    'parent-in-need': {
      text: 'A parent can no longer live alone. Could they live with you?',
      options: { yes: 'Yes, of course', near: 'Nearby, but not in one home', other: 'We would find another way' },
    },
  },
  'Trust and jealousy': {
    'friends-with-ex': {
      text: 'May a partner stay friends with an ex?',
      options: { fine: 'Of course', known: 'Yes, if I know them too', uneasy: 'It would make me uneasy' },
    },
    flirting: {
      text: 'Someone flirts with the person you love. How do you feel?',
      options: {
        proud: 'I am a little proud',
        twinge: 'A brief twinge',
        talk: 'I want to talk about it',
        hurt: 'It hurts',
      },
    },
    'phone-code': {
      text: 'Should partners know each other’s phone passcode?',
      options: { yes: 'Yes, there is nothing to hide', emergency: 'For emergencies', no: 'No, that stays private' },
    },
    'white-lies': {
      text: 'The soup tastes odd, but it was made with love. What do you say?',
      options: { truth: 'The truth, kindly', delicious: '“Delicious!”', thanks: '“Thank you for cooking.”' },
    },
    promises: {
      text: 'You promised to come, then something better turns up. What do you do?',
      options: { keep: 'I keep my promise', ask: 'I ask whether we can move it', go: 'I go where I want to be' },
    },
  },
  'Children and the years ahead': {
    upbringing: {
      text: 'How would you bring up a child?',
      options: {
        rules: 'With clear rules',
        few: 'With few rules, always kept',
        free: 'With as much freedom as possible',
      },
    },
    'day-off': {
      text: 'School is closed today. Which parent takes the day off?',
      options: {
        turns: 'They take turns',
        easier: 'The one who can most easily',
        one: 'The one who works less anyway',
      },
    },
    'screen-time': {
      text: 'A six-year-old wants to watch something. What do you say?',
      options: { 'not-yet': 'Not at this age', little: 'A little, then we go out', free: 'You choose how long' },
    },
    'partners-child': {
      text: 'Someone you like already has a child. How do you feel about that?',
      options: { joy: 'It makes me happy', time: 'Fine, if we take our time', no: 'It is not for me' },
    },
    'moving-abroad': {
      text: 'Would you move to another country for the two of us?',
      options: { yes: 'Yes', while: 'For a year or two', no: 'My place is here' },
    },
  },
};
