"""Words of a question that say nothing about its matter, in six languages."""

from __future__ import annotations

from dw_learning.normal import FUNCTION_WORDS, NEGATIONS

STOPS = (
    FUNCTION_WORDS
    | frozenset(
        """how what when where who whom which whose did do does done doing we i you he she they us our my your his her their
        me him them has have had can could should would will shall may might just now then there here these those
        anyone anybody someone somebody something anything everyone with from by about into out up down off over as so if
        or but than too very also any some all get gets got say said tell told please thanks thank hi hello dear hey
        because while after before during until since
        wie wann wo wer wen wem welche welcher welches haben hat hatte hatten habe wir ich ihr sie es er uns unser dazu
        gesagt sagen bei beim mit für auf aus von vom nach noch schon mal auch nur aber oder bitte danke hallo kann
        können konnte soll sollte wird wurde werden jemand etwas dass man mir mich am als ob um so da hier dort gibt
        qué que cómo como cuándo cuando dónde donde quién quien cuál cual cuáles hicimos hizo hemos ha han había nos nuestro
        se lo le al con por para sin sobre esto esta este eso ese esa fue ser está están hay si sí ya más muy alguien algo
        favor gracias hola mi tu su sus
        як що коли де хто чому ми ви я ти він вона воно вони нас нам наш наша вже ще також але або чи бо б би це цей ця ці
        той та те ті був була було були є з зі із по про при від для за до будь ласка дякую привіт хтось щось мені мене
        thế nào gì nào sao ai đâu khi hôm em anh chị ạ ơi nhé nha mình tôi bạn họ có được là bị đã đang sẽ rồi với từ này
        kia đó những các một thì mà nên vì nếu hay hoặc cũng vẫn chỉ ra xin vui lòng cảm ơn giúp""".split()
    )
) - NEGATIONS
