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
      text: 'What if voices get loud?',
      options: { clears: 'That clears the air', rare: 'It happens, and we say sorry', never: 'I cannot bear shouting' },
    },
    'first-step': {
      text: 'After an argument, who makes the first step?',
      options: { me: 'Mostly me', wrong: 'The one who was wrong', either: 'Either, as long as one of us does' },
    },
    criticism: {
      text: 'How do you like to hear that something bothers your partner?',
      options: { straight: 'Straight out', kindly: 'Kindly wrapped', later: 'Later, when the moment is calm' },
    },
  },
  'Friends and family': {
    'family-visits': {
      text: 'How often would you like to see your family?',
      options: {
        weekly: 'Every week',
        monthly: 'About once a month',
        'big-days': 'On the big days of the year',
        rarely: 'Rarely',
      },
    },
    'own-friends': {
      text: 'Whose friends are a couple’s friends?',
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
        promised: 'When we have promised to stay',
        'two-homes': 'I like it best with two homes',
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
      text: 'Someone flirts with the person you love. How is that for you?',
      options: {
        proud: 'I am a little proud',
        twinge: 'A short twinge',
        talk: 'I want to talk about it',
        hurt: 'It hurts',
      },
    },
    'phone-code': {
      text: 'Should partners know the code of each other’s phone?',
      options: { yes: 'Yes, there is nothing to hide', emergency: 'For emergencies', no: 'No, that stays private' },
    },
    'white-lies': {
      text: 'The soup tastes odd, and was made with love. What do you say?',
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
        free: 'With as much freedom as can be',
      },
    },
    'day-off': {
      text: 'School is closed today. Which parent takes the day off?',
      options: {
        turns: 'They take turns',
        easier: 'The one who can more easily',
        one: 'The one who works less anyway',
      },
    },
    'screen-time': {
      text: 'A six-year-old wants to watch something. What do you say?',
      options: { 'not-yet': 'Not at this age', little: 'A little, then we go out', free: 'You choose how long' },
    },
    'partners-child': {
      text: 'Someone you like has a child from before. How is that for you?',
      options: { joy: 'It makes me happy', time: 'Fine, if we take our time', no: 'It is not for me' },
    },
    'moving-abroad': {
      text: 'Would you move to another country for the two of us?',
      options: { yes: 'Yes', while: 'For a year or two', no: 'My place is here' },
    },
  },
};
